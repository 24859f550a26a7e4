import YAMLReading

/// Reads an article and its claims from the text of a YAML file, strictly.
///
///     author: A. Author
///     title: A title
///     year: 2015
///     claims:
///       - id: merging-is-cheap
///         statement: Merging costs no frame.
///         evidence: simulated
///         experiment: payload-sizes
///         label: dropped frames
///         figure: {value: {column: frames_dropped_count, of: worker-merge, at: {batch-size: 500}}}
///         over: [profile]
///         holds-if: {at-most: 0}
///       - id: crash
///         statement: The other wiring crashes.
///         undecidable: no experiment has that wiring
struct ArticleReader {
  private static let keys = ["author", "title", "year", "claims"]
  private static let testKeys = ["evidence", "experiment", "label", "figure", "over", "holds-if"]

  let experiments: [ClaimExperiment]

  /// Returns the article in a text and its claims.
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - key: The name of the file without its extension.
  /// - Returns: The article and its claims, in the order of the file.
  /// - Throws: `YAMLError` that names the file, the line and the key.
  func article(from text: String, key: String) throws(YAMLError) -> (Article, [Claim]) {
    let root = try YAMLMapping(text: text, place: "\(key).yaml", keys: Self.keys)
    let article = Article(
      key: key, author: try root.text("author"), title: try root.text("title"),
      year: root.has("year") ? try root.integer("year", in: 2000...2100) : nil)
    var claims: [Claim] = []
    for mapping in try root.mappings("claims", keys: ["id", "statement", "undecidable"] + Self.testKeys) {
      let claim = try claim(mapping, key)
      if claims.contains(where: { $0.id == claim.id }) {
        throw mapping.error("id", "\(claim.id) appears twice; use another id")
      }
      claims.append(claim)
    }
    return (article, claims)
  }

  private func claim(_ mapping: YAMLMapping, _ article: String) throws(YAMLError) -> Claim {
    let id = try mapping.text("id")
    guard id.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }) else {
      throw mapping.error("id", "\(id) is not an id; use letters from a to z, digits and hyphens")
    }
    let statement = try mapping.text("statement")
    guard mapping.has("undecidable") else {
      return Claim(id: id, article: article, statement: statement, decision: .test(try test(mapping)))
    }
    if let key = Self.testKeys.first(where: mapping.has) {
      throw mapping.error(key, "contradicts undecidable; use one of the two")
    }
    return Claim(
      id: id, article: article, statement: statement,
      decision: .undecidable(reason: try mapping.text("undecidable")))
  }

  private func test(_ mapping: YAMLMapping) throws(YAMLError) -> ClaimTest {
    let names = ClaimTest.Evidence.allCases.map(\.rawValue)
    let evidence = ClaimTest.Evidence(rawValue: try mapping.name("evidence", of: names)) ?? .counter
    var experiment: ClaimExperiment?
    if mapping.has("experiment") {
      let id = try mapping.text("experiment")
      experiment = experiments.first { $0.id == id }
      guard experiment != nil else {
        throw mapping.error(
          "experiment", "\(id) is not known; use one of \(experiments.map(\.id).joined(separator: ", "))")
      }
    }
    if let experiment, (evidence == .live) != (experiment.machine == .live) {
      throw mapping.error("evidence", "\(experiment.id) runs on the \(experiment.machine.rawValue) machine")
    }
    let over = mapping.has("over") ? try mapping.texts("over") : []
    let reader = FigureReader(experiment: experiment, over: over)
    try reader.checkOver(mapping)
    return ClaimTest(
      evidence: evidence, experiment: experiment?.id,
      figure: try reader.figure(try mapping.mapping("figure", keys: FigureReader.forms), mapping),
      label: try mapping.text("label"),
      condition: try reader.condition(
        try mapping.mapping("holds-if", keys: FigureReader.comparisons), mapping, "holds-if"),
      over: over)
  }
}
