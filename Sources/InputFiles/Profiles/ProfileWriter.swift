import MachineCore
import MachineSimulated

/// Writes a profile as the YAML that `ProfileReader` reads.
package struct ProfileWriter {
  private let declaration: ProfileDeclaration

  package init(_ declaration: ProfileDeclaration) {
    self.declaration = declaration
  }

  /// The text of the file, with a line break at the end.
  package var text: String {
    (heading + hardware + era + reference + YAMLText.costs(declaration.costs)).joined(separator: "\n") + "\n"
  }

  private var heading: [String] {
    [
      "name: \(quoted(declaration.name))", "title: \(quoted(declaration.title))", "version: \(declaration.version)",
      "description: \(quoted(declaration.description))",
    ] + (declaration.yardstick.map { ["yardstick: \($0)"] } ?? [])
  }

  private var hardware: [String] {
    let hardware = declaration.hardware
    let cold = (Double(hardware.coldAfter.nanoseconds) / 1_000).plainText
    return [
      "hardware:", "  cores: \(hardware.cores)", "  favoursMain: \(hardware.favoursMain)",
      "  quantumMilliseconds: \((Double(hardware.quantum.nanoseconds) / 1_000_000).plainText)",
    ] + (hardware.coldAfter > .zero ? ["  coldAfterMicroseconds: \(cold)"] : []) + [
      "  refreshRate: \(hardware.refreshRate)", "  source: \(quoted(hardware.source))",
    ]
  }

  private var era: [String] {
    let era = declaration.era
    return [
      "era:", "  connectionPool: \(era.connectionPool)", "  journalMode: \(quoted(era.journalMode))",
      "  synchronous: \(quoted(era.synchronous))", "  fullfsync: \(era.fullfsync)",
      "  shouldDeleteInaccessibleFaults: \(era.shouldDeleteInaccessibleFaults)",
      "  batchSizeIgnoredInChildren: \(era.batchSizeIgnoredInChildren)", "  source: \(quoted(era.source))",
    ]
  }

  private var reference: [String] {
    var lines: [String] = []
    if let costsOf = declaration.costsOf { lines.append("costsOf: \(quoted(costsOf))") }
    if let shape = declaration.shape { lines.append("shape: \(quoted(shape))") }
    switch declaration.speed {
    case nil: break
    case .nanoseconds(let constant): lines.append("speed: {\(YAMLText.fields(constant))}")
    case .relative(let other, let factor):
      lines.append("speed: {relativeTo: \(quoted(other)), \(YAMLText.fields(factor, valueKey: "factor"))}")
    }
    if let benchmarks = declaration.benchmarks { lines.append("benchmarks: {\(YAMLText.fields(benchmarks))}") }
    let factors = WorkClass.allCases.compactMap { workClass in
      declaration.factors[workClass].map { "  \(workClass.rawValue): {\(YAMLText.fields($0))}" }
    }
    return factors.isEmpty ? lines : lines + ["factors:"] + factors
  }

  private func quoted(_ text: String) -> String { YAMLText.quoted(text) }
}
