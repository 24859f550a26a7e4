import MachineCore
import MachineSimulated

/// Profiles for tests: one that stands alone, and phones that lean on it.
enum MadeUpProfiles {
  /// Lists every constant: n ns for the nth kind, the same for each component, each from half to twice the value.
  static let host = declaration("host", costs: costs { constant(Double($0.rawValue) + 1) })

  static func constant(_ value: Double, factor: Double = 2) -> ProfileConstant {
    ProfileConstant(value: value, low: value / factor, high: value * factor, source: "made up")
  }

  /// A constant for each component that `contains` names.
  static func costs(
    of contains: (CostComponent) -> Bool = { _ in true }, _ constant: (Work.Kind) -> ProfileConstant
  ) -> CostTable<ProfileConstant> {
    var table = CostTable<ProfileConstant>()
    for kind in Work.Kind.allCases {
      for component in kind.costComponents where contains(component) { table[kind, component] = constant(kind) }
    }
    return table
  }

  static func declaration(
    _ name: String, ratiosOf: String? = nil, spread: Double? = nil, scale: ProfileDeclaration.Scale? = nil,
    costs: CostTable<ProfileConstant>
  ) -> ProfileDeclaration {
    ProfileDeclaration(
      name: name, title: name, version: 1, description: "made up",
      hardware: Hardware(
        cores: 2, favoursMain: true, quantum: .milliseconds(10), refreshRate: 60, source: "made up"),
      era: FrameworkEra(
        connectionPool: 1, journalMode: "delete", synchronous: "full", fullfsync: false,
        shouldDeleteInaccessibleFaults: false, batchSizeIgnoredInChildren: true, source: "made up"),
      ratiosOf: ratiosOf, ratioSpread: spread.map { .init(factor: $0, source: "made up") }, cpuScale: scale,
      costs: costs)
  }

  /// A phone with the host's ratios and storage constants of its own, all 1,000 ns.
  static func phone(
    _ name: String, scale: ProfileDeclaration.Scale, ratiosOf: String = "host", spread: Double? = nil,
    overriding: [Work.Kind: Double] = [:]
  ) -> ProfileDeclaration {
    var costs = costs(of: { !$0.isCPU }) { _ in constant(1_000) }
    for (kind, value) in overriding { costs[kind, .cpu] = constant(value) }
    return declaration(name, ratiosOf: ratiosOf, spread: spread, scale: scale, costs: costs)
  }

  /// The first declaration, resolved among all of them.
  static func resolve(_ declarations: ProfileDeclaration...) throws(ProfileError) -> Profile {
    let all = declarations + [host]
    return try declarations[0].resolved { name throws(ProfileError) in all.first { $0.name == name } }
  }
}
