import MachineCore
import MachineSimulated
import SQLitePersistence

/// Reads a profile from the text of a YAML file, strictly.
struct ProfileReader {
  private static let keys = [
    "name", "title", "version", "description", "yardstick", "hardware", "era", "ratiosOf", "ratioSpread", "cpuScale",
    "costs",
  ]
  /// Nanoseconds. The yardstick's work takes some 10 ms, so that figures outside lie in another unit.
  private static let yardsticks = 100_000...100_000_000_000
  private static let constantKeys = ["value", "low", "high", "source"]

  /// The file, as errors name it.
  private let place: String

  init(place: String) {
    self.place = place
  }

  /// - Throws: `ProfileError` that names the file, the line and the key.
  func declaration(from text: String) throws(ProfileError) -> ProfileDeclaration {
    let root = try YAMLMapping(text: text, place: place, keys: ProfileReader.keys)
    return ProfileDeclaration(
      name: try root.text("name"), title: try root.text("title"),
      version: try root.integer("version", in: 1...1_000_000), description: try root.text("description"),
      hardware: try hardware(root), era: try era(root),
      ratiosOf: root.has("ratiosOf") ? try root.text("ratiosOf") : nil,
      ratioSpread: root.has("ratioSpread") ? try ratioSpread(root) : nil,
      cpuScale: root.has("cpuScale") ? try scale(root) : nil, costs: try costs(root),
      yardstick: root.has("yardstick") ? Int64(try root.integer("yardstick", in: ProfileReader.yardsticks)) : nil)
  }
}

// MARK: - Parts

extension ProfileReader {
  private func hardware(_ root: YAMLMapping) throws(ProfileError) -> Hardware {
    let keys = ["cores", "favoursMain", "quantumMilliseconds", "refreshRate", "handOverMicroseconds", "source"]
    let mapping = try root.mapping("hardware", keys: keys)
    let milliseconds = try mapping.number("quantumMilliseconds", in: 0.001...1_000)
    let handOver = mapping.has("handOverMicroseconds") ? try mapping.number("handOverMicroseconds", in: 0...10_000) : 0
    return Hardware(
      cores: try mapping.integer("cores", in: 1...1_024), favoursMain: try mapping.boolean("favoursMain"),
      quantum: Span(nanoseconds: Int64((milliseconds * 1_000_000).rounded())),
      refreshRate: try mapping.integer("refreshRate", in: 1...1_000),
      handOver: Span(nanoseconds: Int64((handOver * 1_000).rounded())), source: try mapping.text("source"))
  }

  private func era(_ root: YAMLMapping) throws(ProfileError) -> FrameworkEra {
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

  private func ratioSpread(_ root: YAMLMapping) throws(ProfileError) -> ProfileDeclaration.RatioSpread {
    let mapping = try root.mapping("ratioSpread", keys: ["factor", "source"])
    return ProfileDeclaration.RatioSpread(
      factor: try mapping.number("factor", in: 1...100), source: try mapping.text("source"))
  }

  private func scale(_ root: YAMLMapping) throws(ProfileError) -> ProfileDeclaration.Scale {
    let limits = 0.000_001...1_000_000.0
    let mapping = try root.mapping("cpuScale", keys: ["relativeTo", "factor"] + ProfileReader.constantKeys)
    guard mapping.has("relativeTo") else {
      if mapping.has("factor") { throw mapping.error("factor", "belongs to relativeTo; use value") }
      return .times(try constant(mapping, in: limits))
    }
    if mapping.has("value") { throw mapping.error("value", "contradicts relativeTo; use factor") }
    return .relative(to: try mapping.text("relativeTo"), try constant(mapping, valueKey: "factor", in: limits))
  }

  private func costs(_ root: YAMLMapping) throws(ProfileError) -> CostTable<ProfileConstant> {
    var table = CostTable<ProfileConstant>()
    let mapping = try root.mapping("costs", keys: Work.Kind.allCases.map(\.name))
    for kind in Work.Kind.allCases where mapping.has(kind.name) {
      let components = kind.costComponents
      let parts = try mapping.mapping(kind.name, keys: components.map(\.rawValue))
      for component in components where parts.has(component.rawValue) {
        let limit = component.isPerByte ? ProfileDeclaration.byteCostLimit : ProfileDeclaration.costLimit
        table[kind, component] = try constant(
          try parts.mapping(component.rawValue, keys: ProfileReader.constantKeys), in: 0...limit)
      }
    }
    return table
  }

  private func constant(
    _ mapping: YAMLMapping, valueKey: String = "value", in range: ClosedRange<Double>
  ) throws(ProfileError) -> ProfileConstant {
    let constant = ProfileConstant(
      value: try mapping.number(valueKey, in: range), low: try mapping.number("low", in: range),
      high: try mapping.number("high", in: range), source: try mapping.text("source"))
    guard constant.low <= constant.value, constant.value <= constant.high else {
      let range = "\(constant.low.plainText) to \(constant.high.plainText)"
      throw mapping.error(
        valueKey, "\(constant.value.plainText) does not lie in \(range); use low ≤ \(valueKey) ≤ high")
    }
    return constant
  }
}
