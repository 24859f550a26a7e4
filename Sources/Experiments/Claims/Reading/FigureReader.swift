import InputFiles
import MachineCore
import Metrics
import Reporting
import Topologies

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

  /// The form of a query.
  var figure: YAMLForm<ClaimFigure> {
    let (single, pair) = (operand(along: nil), pair)
    let extremum = YAMLForm.mapping(searchKeys, Search())
    let search = YAMLForm.mapping(searchKeys + [.required("where", \.condition, Self.condition)], Search())
    return .one(
      of: [
        .making("value", single) { .value($0) }, .making("quotient", pair) { .quotient($0[0], $0[1]) },
        .making("share", pair) { .share($0[0], $0[1]) }, .making("difference", pair) { .difference($0[0], $0[1]) },
        .making("largest", extremum) { .largest($0.operand, along: $0.along) },
        .making("smallest", extremum) { .smallest($0.operand, along: $0.along) },
        .making("first", search) { .first($0.operand, along: $0.along, $0.condition) },
        .making("last", search) { .last($0.operand, along: $0.along, $0.condition) },
        .making("count", search) { .count($0.operand, along: $0.along, $0.condition) },
        .making("place", single) { .place($0) },
      ], flaw: { _ in "not one query" })
  }

  /// The form of a condition.
  static let condition = YAMLForm<Condition>.one(
    of: Condition.Comparison.allCases.map { comparison in
      .making(comparison.rawValue, .number(in: -1e15...1e15)) { Condition(comparison: comparison, threshold: $0) }
    }, flaw: { _ in "not one comparison" })
}

// MARK: - Searches

extension FigureReader {
  /// The parts of a query that searches along a setting.
  private struct Search {
    var along = ""
    var operand = Operand(source: .columns([]))
    var condition = Condition(comparison: .equals, threshold: 0)
  }

  private var searchKeys: [YAMLKey<Search>] {
    [
      .required("along", \.along, .text).checked { (search, mapping) throws(YAMLError) in
        guard experiment?.values(of: search.along) != nil, !over.contains(search.along) else {
          throw mapping.error(
            "along", "\(search.along) is not varied by the experiment, or is in over; \(varied)")
        }
      },
      .reading("quantity", isRequired: true) { (mapping, search) throws(YAMLError) in
        search.operand = try operand(along: search.along).read(mapping, "quantity")
      },
    ]
  }
}

// MARK: - Quantities

extension FigureReader {
  /// Returns the form of a quantity of a query.
  ///
  /// - Parameter along: The setting through whose values the query searches, or nil if it does not search.
  /// - Returns: The form.
  private func operand(along: String?) -> YAMLForm<Operand> {
    YAMLForm { (mapping, key) throws(YAMLError) in
      let keys = operandKeys(along: along)
      return try operand(try mapping.mapping(key, keys: keys.names()), keys, along: along)
    }
  }

  private var pair: YAMLForm<[Operand]> {
    let keys = operandKeys(along: nil)
    return YAMLForm { (mapping, key) throws(YAMLError) in
      let operands = try mapping.mappings(key, keys: keys.names())
      guard operands.count == 2 else { throw mapping.error(key, "has \(operands.count) quantities; use two") }
      return [try operand(operands[0], keys, along: nil), try operand(operands[1], keys, along: nil)]
    }
  }

  private func operandKeys(along: String?) -> [YAMLKey<Operand>] {
    [
      .reading("column") { (mapping, operand) throws(YAMLError) in operand.source = .columns(try columns(mapping)) },
      .making("code", .listedChoice) { Operand(source: .code($0)) },
      .making("advice", .listedChoice) { Operand(source: .advice($0)) }.checked { (_, mapping) throws(YAMLError) in
        guard experiment?.request == nil else { return }
        throw mapping.error("advice", "needs an experiment with stacks; name one in the key experiment of the claim")
      },
      .reading("of", isRequired: along != ClaimExperiment.stackSetting) { (mapping, operand) throws(YAMLError) in
        operand.stack = try stack(mapping, along: along)
      },
      .reading("at") { (mapping, operand) throws(YAMLError) in operand.at = try values(mapping, along: along) },
    ]
  }

  private func operand(
    _ mapping: YAMLMapping, _ keys: [YAMLKey<Operand>], along: String?
  ) throws(YAMLError) -> Operand {
    let sources = ["code", "advice", "column"].filter(mapping.has)
    if sources.count > 1, let other = sources.last {
      throw mapping.error(sources[0], "contradicts \(other); use one of the two")
    }
    if sources.isEmpty { _ = try columns(mapping) }
    let operand = try keys.value(of: mapping, Operand(source: .columns([])))
    let open = experiment?.varied.map(\.name).first { name in
      name != along && !over.contains(name) && !operand.at.contains { $0.name == name }
    }
    // Counts of code are the same for all values.
    if let open, !mapping.has("code") {
      throw mapping.error(
        mapping.has("at") ? "at" : "of", "leaves \(open) open; add at: {\(open): …}, or name it in over or along")
    }
    if case .code(let part) = operand.source, part == .lines || part == .setUpLines,
      let topology = operand.topology(in: experiment), let limit = PrintableShape(topology).limit
    {
      throw mapping.error("of", "\(topology.title) cannot be printed as code: \(limit)")
    }
    return operand
  }

  private func columns(_ mapping: YAMLMapping) throws(YAMLError) -> [String] {
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
    return columns
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

  private func values(_ mapping: YAMLMapping, along: String?) throws(YAMLError) -> [SettingValue] {
    let at = try mapping.mapping("at", keys: nil)
    var values: [SettingValue] = []
    for name in at.keys {
      guard let known = experiment?.varied.first(where: { $0.name == name })?.values else {
        throw mapping.error("at", "\(name) is not varied by the experiment; \(varied)")
      }
      guard name != along, !over.contains(name) else {
        throw at.error(name, "the query takes all its values; leave it out")
      }
      values.append(SettingValue(name: name, value: try at.name(name, of: known)))
    }
    return values
  }

  /// The words for the settings that may be named.
  private var varied: String {
    let names = experiment?.varied.map(\.name) ?? []
    return names.isEmpty ? "it varies none" : "use one of \(names.joined(separator: ", "))"
  }
}
