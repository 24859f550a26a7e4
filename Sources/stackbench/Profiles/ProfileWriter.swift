import MachineCore
import MachineSimulated

/// Writes a profile as the YAML that `ProfileReader` reads.
struct ProfileWriter {
  private let declaration: ProfileDeclaration

  init(_ declaration: ProfileDeclaration) {
    self.declaration = declaration
  }

  var text: String {
    (heading + hardware + era + scale + costs).joined(separator: "\n") + "\n"
  }

  private var heading: [String] {
    [
      "name: \(quoted(declaration.name))", "title: \(quoted(declaration.title))", "version: \(declaration.version)",
      "description: \(quoted(declaration.description))",
    ] + (declaration.yardstick.map { ["yardstick: \($0)"] } ?? [])
  }

  private var hardware: [String] {
    let hardware = declaration.hardware
    return [
      "hardware:", "  cores: \(hardware.cores)", "  favoursMain: \(hardware.favoursMain)",
      "  quantumMilliseconds: \((Double(hardware.quantum.nanoseconds) / 1_000_000).plainText)",
      "  refreshRate: \(hardware.refreshRate)",
      "  handOverMicroseconds: \((Double(hardware.handOver.nanoseconds) / 1_000).plainText)",
      "  source: \(quoted(hardware.source))",
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

  private var scale: [String] {
    var lines: [String] = []
    if let ratiosOf = declaration.ratiosOf { lines.append("ratiosOf: \(quoted(ratiosOf))") }
    if let spread = declaration.ratioSpread {
      lines.append("ratioSpread: {factor: \(spread.factor.plainText), source: \(quoted(spread.source))}")
    }
    switch declaration.cpuScale {
    case nil: break
    case .times(let constant): lines.append("cpuScale: {\(fields(constant))}")
    case .relative(let other, let constant):
      lines.append("cpuScale: {relativeTo: \(quoted(other)), \(fields(constant, valueKey: "factor"))}")
    }
    return lines
  }

  private var costs: [String] {
    var lines: [String] = []
    for kind in Work.Kind.allCases {
      let given = kind.costComponents.compactMap { component in
        declaration.costs[kind, component].map { "    \(component.rawValue): {\(fields($0))}" }
      }
      if !given.isEmpty { lines += ["  \(kind.name):"] + given }
    }
    return lines.isEmpty ? ["costs: {}"] : ["costs:"] + lines
  }

  private func fields(_ constant: ProfileConstant, valueKey: String = "value") -> String {
    "\(valueKey): \(constant.value.plainText), low: \(constant.low.plainText), high: \(constant.high.plainText), "
      + "source: \(quoted(constant.source))"
  }

  /// Between double quotes, which YAML reads as JSON does.
  private func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
