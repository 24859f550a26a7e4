import MachineCore
import MachineSimulated
import SQLitePersistence

/// The keys of the files of devices, references and shapes.
///
/// To add a key, add it to its table here. The reader and the writer need no other change.
enum ProfileKeys {
  /// The unit that marks a file as a reference and not a device.
  fileprivate static let referenceUnit = "instructions"
  /// The valid range of a profile's factors and speed, from a millionth to a million. A number outside it is taken for
  /// a typing error.
  private static let factorLimits = 0.000_001...1_000_000.0
  /// The valid range of the yardstick's time, in nanoseconds. The work takes about 10 ms, and a figure outside the
  /// range is probably in another unit.
  private static let yardsticks = 100_000...100_000_000_000

  /// Returns the keys of a file: those at its beginning, then others.
  private static func file<Subject: ProfileHeading>(_ others: [YAMLKey<Subject>]) -> [YAMLKey<Subject>] {
    let heading: [YAMLKey<Subject>] = [
      .required("name", \.name, .text), .required("title", \.title, .text),
      .required("version", \.version, .integer(in: 1...1_000_000)), .required("description", \.description, .text),
    ]
    return heading + others
  }
}

/// The values at the beginning of each file.
protocol ProfileHeading {
  var name: String { get set }
  var title: String { get set }
  var version: Int { get set }
  var description: String { get set }
}

extension ProfileDeclaration: ProfileHeading {}

// MARK: - Devices

extension ProfileKeys {
  static let device: [YAMLKey<ProfileDeclaration>] = file(
    [
      .reading("unit") { (root, _) throws(YAMLError) in
        guard try root.name("unit", of: ["nanoseconds", referenceUnit]) != referenceUnit else {
          throw root.error(
            "unit",
            "a reference in instructions is not a device; write a profile with costsOf: reference and a speed")
        }
      },
      .optional("yardstick", \.yardstick, .integer(in: yardsticks)),
      .required("hardware", \.hardware, .mapping(hardware, blankDevice.hardware)),
      .required("era", \.era, .mapping(era, blankDevice.era)),
      .optional("costsOf", \.costsOf, .text), .optional("shape", \.shape, .text), .optional("speed", \.speed, speed),
      .optional("benchmarks", \.benchmarks, .constant(in: factorLimits)),
      .standard("factors", \.factors, .mapping(factors, [:]), [:]),
      .required("costs", \.costs, .mapping(costs, CostTable())),
    ])

  /// The device before its file is read.
  static let blankDevice = ProfileDeclaration(
    name: "", title: "", version: 1, description: "",
    hardware: Hardware(cores: 1, favoursMain: false, quantum: .zero, refreshRate: 1, source: ""),
    era: FrameworkEra(
      connectionPool: 1, journalMode: "", synchronous: "", fullfsync: false, shouldDeleteInaccessibleFaults: false,
      batchSizeIgnoredInChildren: false, source: ""),
    costs: CostTable())

  private static let hardware: [YAMLKey<Hardware>] = [
    .required("cores", \.cores, .integer(in: 1...1_024)), .required("favoursMain", \.favoursMain, .flag),
    .required("quantumMilliseconds", \.quantum, .span(1_000_000, in: 0.001...1_000)),
    .standard("coldAfterMicroseconds", \.coldAfter, .span(1_000, in: 0...100_000), .zero),
    .required("refreshRate", \.refreshRate, .integer(in: 1...1_000)), .required("source", \.source, .text),
  ]

  private static let era: [YAMLKey<FrameworkEra>] = [
    .required("connectionPool", \.connectionPool, .integer(in: 1...64)),
    .required(
      "journalMode", \.journalMode, .name(of: SQLiteStoreConfiguration.JournalMode.allCases.map(\.rawValue))),
    .required(
      "synchronous", \.synchronous, .name(of: SQLiteStoreConfiguration.Synchronous.allCases.map(\.rawValue))),
    .required("fullfsync", \.fullfsync, .flag),
    .required("shouldDeleteInaccessibleFaults", \.shouldDeleteInaccessibleFaults, .flag),
    .required("batchSizeIgnoredInChildren", \.batchSizeIgnoredInChildren, .flag),
    .required("source", \.source, .text),
  ]

  private static let factors: [YAMLKey<[WorkClass: ProfileConstant]>] = WorkClass.allCases.map {
    .optional($0.rawValue, \.[$0], .constant(in: factorLimits))
  }

  private static let speed = YAMLForm<ProfileDeclaration.Speed>(
    { (root, key) throws(YAMLError) in
      let keys = constant(in: factorLimits)
      let mapping = try root.mapping(key, keys: ["relativeTo", "factor"] + keys.names())
      guard mapping.has("relativeTo") else {
        if mapping.has("factor") { throw mapping.error("factor", "belongs to relativeTo; use value") }
        return .nanoseconds(try keys.value(of: mapping, blankConstant))
      }
      if mapping.has("value") { throw mapping.error("value", "contradicts relativeTo; use factor") }
      return .relative(
        to: try mapping.text("relativeTo"),
        try constant(in: factorLimits, valueKey: "factor").value(of: mapping, blankConstant))
    },
    write: { speed in
      let members =
        switch speed {
        case .nanoseconds(let value): constant(in: factorLimits).members(of: value)
        case .relative(let other, let factor):
          [YAMLValue.Member(key: "relativeTo", value: .text(other))]
            + constant(in: factorLimits, valueKey: "factor").members(of: factor)
        }
      return .word(YAMLValue.mapping(members).quotedLine)
    })
}

// MARK: - Constants

extension ProfileKeys {
  fileprivate static let blankConstant = ProfileConstant(value: 0, low: 0, high: 0, source: "")

  /// Returns the keys of a constant: its value, its bounds around the value, and its source.
  fileprivate static func constant(
    in range: ClosedRange<Double>, valueKey: String = "value"
  ) -> [YAMLKey<ProfileConstant>] {
    [
      .required(valueKey, \.value, .number(in: range)), .required("low", \.low, .number(in: range)),
      .required("high", \.high, .number(in: range)),
      .required("source", \.source, .text).checked { (constant, mapping) throws(YAMLError) in
        guard constant.low <= constant.value, constant.value <= constant.high else {
          let range = "\(constant.low.plainText) to \(constant.high.plainText)"
          throw mapping.error(
            valueKey, "\(constant.value.plainText) does not lie in \(range); use low ≤ \(valueKey) ≤ high")
        }
      },
    ]
  }

  /// The costs of kinds of work, with a key for each kind and in it one for each part of the kind's cost.
  private static let costs: [YAMLKey<CostTable<ProfileConstant>>] = Work.Kind.allCases.map { kind in
    .group(
      kind.name,
      kind.costComponents.map { component in
        let limit = component.isPerByte ? ProfileDeclaration.byteCostLimit : ProfileDeclaration.costLimit
        return .optional(component.rawValue, \.[kind, component], .constant(in: 0...limit))
      })
  }
}

extension YAMLForm<ProfileConstant> {
  fileprivate static func constant(in range: ClosedRange<Double>) -> YAMLForm {
    mapping(ProfileKeys.constant(in: range), ProfileKeys.blankConstant).inOneLine
  }
}

// MARK: - References and shapes

/// The values of a reference or a shape before they are checked together.
struct SharedCosts: ProfileHeading, Sendable {
  var name = ""
  var title = ""
  var version = 1
  var description = ""
  var unit = ProfileKeys.referenceUnit
  var costs = CostTable<ProfileConstant>()
  var groups: [CostGroup] = []
}

extension ProfileKeys {
  static let reference: [YAMLKey<SharedCosts>] = file(
    [.required("unit", \.unit, unit), .required("costs", \.costs, .mapping(costs, CostTable()))])

  static let shape: [YAMLKey<SharedCosts>] = file(
    [
      .required(
        "groups", \.groups,
        .named(groupKeys, name: \.name) { CostGroup(name: $0, title: "", parts: [], factor: blankConstant) })
    ])

  private static let unit = YAMLForm<String>(
    { (mapping, key) throws(YAMLError) in try mapping.name(key, of: [referenceUnit]) }, write: { .word($0) })

  private static let groupKeys: [YAMLKey<CostGroup>] = [
    .required("title", \.title, .text), .required("costs", \.parts, parts),
    .required("factor", \.factor, .constant(in: factorLimits)),
    .standard("axes", \.axes, .numbers(in: factorLimits), []),
  ]

  private static let parts = YAMLForm<[CostPart]>(
    { (mapping, key) throws(YAMLError) in
      var parts: [CostPart] = []
      for text in try mapping.texts(key) {
        guard let part = CostPart.named(text) else {
          throw mapping.error(key, "\(text) is not part of a cost; use kinds with a component, as in commit.cpu")
        }
        parts.append(part)
      }
      return parts
    },
    write: { .list($0.map { .word($0.name) }) })
}
