import MachineCore
import MachineSimulated
import SQLitePersistence

/// Reads a profile from the text of a YAML file, and rejects unknown keys and invalid values.
package struct ProfileReader {
  private static let keys = [
    "name", "title", "version", "description", "unit", "yardstick", "hardware", "era", "costsOf", "shape", "speed",
    "benchmarks", "factors", "costs",
  ]
  /// The valid range of the yardstick's time, in nanoseconds. The work takes about 10 ms, and a figure outside the
  /// range is probably in another unit.
  private static let yardsticks = 100_000...100_000_000_000

  /// The name of the file in errors.
  private let place: String

  package init(place: String) {
    self.place = place
  }

  /// Returns the declaration in the text of a file. The keys `unit`, `costsOf`, `shape`, `speed`, `benchmarks`,
  /// `yardstick`, `factors` and `hardware.coldAfterMicroseconds` may be left out.
  ///
  /// - Throws: `ProfileError` that names the file, the line and the key.
  package func declaration(from text: String) throws(ProfileError) -> ProfileDeclaration {
    try ProfileError.reading { () throws(YAMLError) in try read(text) }
  }

  private func read(_ text: String) throws(YAMLError) -> ProfileDeclaration {
    let root = try YAMLMapping(text: text, place: place, keys: ProfileReader.keys)
    if root.has("unit"), try root.name("unit", of: ["nanoseconds", ReferenceReader.unit]) == ReferenceReader.unit {
      throw root.error(
        "unit", "a reference in instructions is not a device; write a profile with costsOf: reference and a speed")
    }
    return ProfileDeclaration(
      name: try root.text("name"), title: try root.text("title"),
      version: try root.integer("version", in: 1...1_000_000), description: try root.text("description"),
      hardware: try hardware(root), era: try era(root),
      costsOf: root.has("costsOf") ? try root.text("costsOf") : nil,
      shape: root.has("shape") ? try root.text("shape") : nil,
      speed: root.has("speed") ? try speed(root) : nil,
      benchmarks: root.has("benchmarks") ? try root.factor("benchmarks") : nil,
      factors: root.has("factors") ? try factors(root) : [:],
      costs: try root.costs(),
      yardstick: root.has("yardstick") ? Int64(try root.integer("yardstick", in: ProfileReader.yardsticks)) : nil)
  }
}

// MARK: - Parts

extension ProfileReader {
  private func hardware(_ root: YAMLMapping) throws(YAMLError) -> Hardware {
    let keys = ["cores", "favoursMain", "quantumMilliseconds", "coldAfterMicroseconds", "refreshRate", "source"]
    let mapping = try root.mapping("hardware", keys: keys)
    let milliseconds = try mapping.number("quantumMilliseconds", in: 0.001...1_000)
    let cold = mapping.has("coldAfterMicroseconds") ? try mapping.number("coldAfterMicroseconds", in: 0...100_000) : 0
    return Hardware(
      cores: try mapping.integer("cores", in: 1...1_024), favoursMain: try mapping.boolean("favoursMain"),
      quantum: TimeSpan(nanoseconds: Int64((milliseconds * 1_000_000).rounded())),
      coldAfter: TimeSpan(nanoseconds: Int64((cold * 1_000).rounded())),
      refreshRate: try mapping.integer("refreshRate", in: 1...1_000), source: try mapping.text("source"))
  }

  private func era(_ root: YAMLMapping) throws(YAMLError) -> FrameworkEra {
    let keys = [
      "connectionPool", "journalMode", "synchronous", "fullfsync", "shouldDeleteInaccessibleFaults",
      "batchSizeIgnoredInChildren", "source",
    ]
    let mapping = try root.mapping("era", keys: keys)
    return FrameworkEra(
      connectionPool: try mapping.integer("connectionPool", in: 1...64),
      journalMode: try mapping.name("journalMode", of: SQLiteStoreConfiguration.JournalMode.allCases.map(\.rawValue)),
      synchronous: try mapping.name("synchronous", of: SQLiteStoreConfiguration.Synchronous.allCases.map(\.rawValue)),
      fullfsync: try mapping.boolean("fullfsync"),
      shouldDeleteInaccessibleFaults: try mapping.boolean("shouldDeleteInaccessibleFaults"),
      batchSizeIgnoredInChildren: try mapping.boolean("batchSizeIgnoredInChildren"), source: try mapping.text("source"))
  }

  private func speed(_ root: YAMLMapping) throws(YAMLError) -> ProfileDeclaration.Speed {
    let mapping = try root.mapping("speed", keys: ["relativeTo", "factor"] + YAMLMapping.constantKeys)
    guard mapping.has("relativeTo") else {
      if mapping.has("factor") { throw mapping.error("factor", "belongs to relativeTo; use value") }
      return .nanoseconds(try mapping.constant(in: YAMLMapping.factorLimits))
    }
    if mapping.has("value") { throw mapping.error("value", "contradicts relativeTo; use factor") }
    return .relative(
      to: try mapping.text("relativeTo"),
      try mapping.constant(valueKey: "factor", in: YAMLMapping.factorLimits))
  }

  private func factors(_ root: YAMLMapping) throws(YAMLError) -> [WorkClass: ProfileConstant] {
    let mapping = try root.mapping("factors", keys: WorkClass.allCases.map(\.rawValue))
    var factors: [WorkClass: ProfileConstant] = [:]
    for workClass in WorkClass.allCases where mapping.has(workClass.rawValue) {
      factors[workClass] = try mapping.factor(workClass.rawValue)
    }
    return factors
  }
}
