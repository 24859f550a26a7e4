import MachineCore
import MachineSimulated

/// Profiles for tests: a complete one, and phones that take their costs from a reference.
enum MadeUpProfiles {
  /// A profile that lists every constant: n ns for the nth kind, the same for each component, each from half to twice
  /// the value.
  static let host = declaration("host", costs: costs { constant(Double($0.rawValue) + 1) })

  /// A reference with n instructions for the nth kind, from half to twice as many.
  static let reference = reference("reference") { constant(Double($0.rawValue) + 1) }

  static func reference(_ name: String, _ constant: (Work.Kind) -> ProfileConstant) -> CostReference {
    do {
      return try CostReference(
        name: name, title: name, version: 1, description: "made up", costs: costs(of: \.isCPU, constant))
    } catch {
      trapMisuse("The reference \(name) is not complete: \(error)")
    }
  }

  /// Returns a shape of two groups: saving and all the rest.
  static func shape(saving: ProfileConstant, rest: ProfileConstant = constant(1, factor: 1)) throws -> CostShape {
    let parts = [
      CostPart(.saveBegun, component: .cpu), CostPart(.rowWritten, component: .cpu),
      CostPart(.rowWritten, component: .cpuPerByte),
    ]
    return try CostShape(
      name: "shape", title: "shape", version: 1, description: "made up",
      groups: [
        CostGroup(name: "saving", title: "saving", parts: parts, factor: saving),
        CostGroup(name: "rest", title: "rest", parts: CostPart.cpu.filter { !parts.contains($0) }, factor: rest),
      ])
  }

  static func constant(_ value: Double, factor: Double = 2) -> ProfileConstant {
    ProfileConstant(value: value, low: value / factor, high: value * factor, source: "made up")
  }

  /// Returns a constant for each component that `contains` names.
  static func costs(
    of contains: (CostComponent) -> Bool = { _ in true }, _ constant: (Work.Kind) -> ProfileConstant
  ) -> CostTable<ProfileConstant> {
    var table = CostTable<ProfileConstant>()
    for part in CostPart.all where contains(part.component) { table[part] = constant(part.kind) }
    return table
  }

  static func declaration(
    _ name: String, costsOf: String? = nil, shape: String? = nil, speed: ProfileDeclaration.Speed? = nil,
    factors: [WorkClass: ProfileConstant] = [:], costs: CostTable<ProfileConstant>
  ) -> ProfileDeclaration {
    ProfileDeclaration(
      name: name, title: name, version: 1, description: "made up",
      hardware: Hardware(
        cores: 2, favoursMain: true, quantum: .milliseconds(10), refreshRate: 60, source: "made up"),
      era: FrameworkEra(
        connectionPool: 1, journalMode: "delete", synchronous: "full", fullfsync: false,
        shouldDeleteInaccessibleFaults: false, batchSizeIgnoredInChildren: true, source: "made up"),
      costsOf: costsOf, shape: shape, speed: speed, factors: factors, costs: costs)
  }

  /// Returns a phone with the reference's costs and with other storage constants, all 1,000 ns.
  static func phone(
    _ name: String, speed: ProfileDeclaration.Speed, costsOf: String = "reference", shape: String? = nil,
    overriding: [Work.Kind: Double] = [:]
  ) -> ProfileDeclaration {
    var costs = costs(of: { !$0.isCPU }) { _ in constant(1_000) }
    for (kind, value) in overriding { costs[kind, .cpu] = constant(value) }
    return declaration(name, costsOf: costsOf, shape: shape, speed: speed, costs: costs)
  }

  /// Resolves the first declaration among all of them.
  static func resolve(
    _ declarations: ProfileDeclaration..., reference: CostReference = reference, shape: CostShape? = nil
  ) throws(ProfileError) -> Profile {
    let all = declarations + [host]
    return try declarations[0].resolved(
      with: ProfileCatalogue(
        declaration: { name throws(ProfileError) in all.first { $0.name == name } },
        reference: { name throws(ProfileError) in name == reference.name ? reference : nil },
        shape: { name throws(ProfileError) in name == shape?.name ? shape : nil }))
  }
}
