import InputFiles
import MachineCore
import Metrics
import Reporting
import Topologies
import WiringCode

/// Reads the query of a claim and checks it against the claim's experiment.
///
/// A quantity is `{column: NAME, of: STACK, at: {SETTING: VALUE}}`. Several columns are added up. In place of a column
/// it may have `code: PART`, a count of the stack's description or code, or `advice: PRIORITY`, the stack's place in the
/// answer of `stackbench advise`. In experiments with scenarios and peers, STACK is a side or a peer. A query is one of:
///
///     value: QUANTITY
///     quotient: [QUANTITY, QUANTITY]
///     share: [QUANTITY, QUANTITY]      # in per cent
///     difference: [QUANTITY, QUANTITY]
///     largest: {along: SETTING, quantity: QUANTITY}      # also smallest
///     first: {along: SETTING, quantity: QUANTITY, where: {above: 0}}      # also last and count
///     place: QUANTITY
struct FigureReader {
  static let forms = [
    "value", "quotient", "share", "difference", "largest", "smallest", "first", "last", "count", "place",
  ]
  static let comparisons = Condition.Comparison.allCases.map(\.rawValue)
  private static let operandKeys = ["column", "code", "advice", "of", "at"]
  private static let largestNumber = 1e15
  /// The number of names that an error lists at most.
  private static let mostListed = 40

  /// The experiment of the claim, or nil if the claim does without one.
  let experiment: ClaimExperiment?
  /// The settings over whose values the verdict may differ.
  let over: [String]

  /// Checks that the settings over which a verdict may differ are varied.
  func checkOver(_ claim: YAMLMapping) throws(YAMLError) {
    for name in over where experiment?.varied.contains(where: { $0.name == name }) != true {
      throw claim.error("over", "\(name) is not varied by the experiment; \(varied)")
    }
  }

  /// Returns the query in a mapping, which is the value of the key `figure` of `claim`.
  ///
  /// - Throws: `YAMLError` that names the line and the key.
  func figure(_ mapping: YAMLMapping, of claim: YAMLMapping) throws(YAMLError) -> ClaimFigure {
    guard let form = mapping.keys.first, mapping.keys.count == 1 else {
      throw claim.error("figure", "not one query; use one of \(Self.forms.joined(separator: ", "))")
    }
    switch form {
    case "quotient", "share", "difference":
      let operands = try mapping.mappings(form, keys: Self.operandKeys)
      guard operands.count == 2 else { throw mapping.error(form, "has \(operands.count) quantities; use two") }
      let first = try operand(operands[0], along: nil)
      let second = try operand(operands[1], along: nil)
      switch form {
      case "quotient": return .quotient(first, second)
      case "share": return .share(first, second)
      default: return .difference(first, second)
      }
    case "value", "place":
      let operand = try operand(try mapping.mapping(form, keys: Self.operandKeys), along: nil)
      return form == "value" ? .value(operand) : .place(operand)
    default:
      return try search(form, in: mapping)
    }
  }

  private func search(_ form: String, in mapping: YAMLMapping) throws(YAMLError) -> ClaimFigure {
    let isExtremum = form == "largest" || form == "smallest"
    let search = try mapping.mapping(form, keys: ["along", "quantity"] + (isExtremum ? [] : ["where"]))
    let along = try search.text("along")
    guard experiment?.values(of: along) != nil, !over.contains(along) else {
      throw search.error("along", "\(along) is not varied by the experiment, or is in over; \(varied)")
    }
    let operand = try operand(try search.mapping("quantity", keys: Self.operandKeys), along: along)
    if isExtremum {
      return form == "largest" ? .largest(operand, along: along) : .smallest(operand, along: along)
    }
    let condition = try condition(try search.mapping("where", keys: Self.comparisons), in: search, key: "where")
    switch form {
    case "first": return .first(operand, along: along, condition)
    case "last": return .last(operand, along: along, condition)
    default: return .count(operand, along: along, condition)
    }
  }

  /// Returns the condition in a mapping, which is the value of `key` in `parent`.
  ///
  /// - Throws: `YAMLError` that names the line and the key.
  func condition(
    _ mapping: YAMLMapping, in parent: YAMLMapping, key: String
  ) throws(YAMLError) -> Condition {
    guard let name = mapping.keys.first, mapping.keys.count == 1, let comparison = Condition.Comparison(rawValue: name)
    else {
      throw parent.error(key, "not one comparison; use one of \(Self.comparisons.joined(separator: ", "))")
    }
    return Condition(
      comparison: comparison, threshold: try mapping.number(name, in: -Self.largestNumber...Self.largestNumber))
  }
}

// MARK: - Quantities

extension FigureReader {
  private func operand(_ mapping: YAMLMapping, along: String?) throws(YAMLError) -> Operand {
    let operand = Operand(
      source: try source(mapping), stack: try stack(mapping, along: along), at: try values(mapping, along: along))
    if case .code(let part) = operand.source, part == .lines || part == .setUpLines,
      let topology = operand.topology(in: experiment), let limit = PrintableShape(topology).limit
    {
      throw mapping.error("of", "\(topology.title) cannot be printed as code: \(limit)")
    }
    return operand
  }

  private func source(_ mapping: YAMLMapping) throws(YAMLError) -> Operand.Source {
    if mapping.has("code") {
      if let other = ["column", "advice"].first(where: mapping.has) {
        throw mapping.error("code", "contradicts \(other); use one of the two")
      }
      let names = Operand.CodePart.allCases.map(\.rawValue)
      return .code(Operand.CodePart(rawValue: try mapping.name("code", of: names)) ?? .lines)
    }
    if mapping.has("advice") {
      if mapping.has("column") { throw mapping.error("advice", "contradicts column; use one of the two") }
      guard experiment?.request != nil else {
        throw mapping.error("advice", "needs an experiment with stacks; name one in the key experiment of the claim")
      }
      let names = AdvicePriority.allCases.map(\.rawValue)
      return .advice(AdvicePriority(rawValue: try mapping.name("advice", of: names)) ?? .smoothness)
    }
    guard let experiment else {
      throw mapping.error("column", "needs an experiment; add the key experiment to the claim, or use code")
    }
    let columns = mapping.isList("column") ? try mapping.texts("column") : [try mapping.text("column")]
    let names = FigureColumn.names(in: experiment)
    for column in columns where !names.contains(column) {
      let others =
        experiment.request != nil && names.count > Self.mostListed
        ? "use a column of trials.csv, which 'stackbench run' writes" : "use one of \(names.joined(separator: ", "))"
      throw mapping.error(
        "column",
        "\(QuotedText.of(column)) is not a column of the experiment's figures; "
          + (NearestName.question(column, among: names) ?? others))
    }
    if Set(columns.map(FigureUnit.init(ofColumn:))).count > 1 {
      throw mapping.error("column", "the columns have different units and cannot be added up; use columns of one unit")
    }
    return .columns(columns)
  }

  private func stack(_ mapping: YAMLMapping, along: String?) throws(YAMLError) -> String? {
    if along == ClaimExperiment.stackSetting {
      if mapping.has("of") { throw mapping.error("of", "the query goes along the stacks; leave it out") }
      return nil
    }
    let name = try mapping.text("of")
    if let experiment, experiment.request == nil { return try mapping.name("of", of: experiment.stacks) }
    let known = experiment?.stacks ?? Topology.known.map(\.title)
    if known.contains(name) { return name }
    let title = Topology.named(name)?.title
    if let title, known.contains(title) { return title }
    throw mapping.error(
      "of",
      "\(QuotedText.of(name)) is \(title == nil ? "not known" : "not in the experiment"); "
        + "\(NearestName.clause(name, among: known))use one of \(known.joined(separator: ", "))")
  }

  /// Reads the values of varied settings, which must leave no setting open.
  private func values(_ mapping: YAMLMapping, along: String?) throws(YAMLError) -> [SettingValue] {
    let at = mapping.has("at") ? try mapping.mapping("at", keys: nil) : nil
    var values: [SettingValue] = []
    for name in at?.keys ?? [] {
      guard let at, let known = experiment?.varied.first(where: { $0.name == name })?.values else {
        throw mapping.error("at", "\(name) is not varied by the experiment; \(varied)")
      }
      guard name != along, !over.contains(name) else {
        throw at.error(name, "the query takes all its values; leave it out")
      }
      values.append(SettingValue(name: name, value: try at.name(name, of: known)))
    }
    // Counts of code are the same for all values.
    if mapping.has("code") { return values }
    let open = experiment?.varied.map(\.name).first { name in
      name != along && !over.contains(name) && !values.contains { $0.name == name }
    }
    if let open {
      throw mapping.error(
        mapping.has("at") ? "at" : "of", "leaves \(open) open; add at: {\(open): …}, or name it in over or along")
    }
    return values
  }

  /// The words for the settings that may be named.
  private var varied: String {
    let names = experiment?.varied.map(\.name) ?? []
    return names.isEmpty ? "it varies none" : "use one of \(names.joined(separator: ", "))"
  }
}
