import InputFiles
import MachineCore

/// Reads an article and its claims from the text of a YAML file, strictly.
///
///     author: A. Author
///     title: A title
///     year: 2015
///     experiments:
///       phones: {settings: {topology: worker-merge}, vary: {profile: [iphone-6s, iphone-4s]}}
///     claims:
///       - id: merging-is-cheap
///         statement: Merging costs no frame.
///         evidence: simulated
///         experiment: phones
///         label: dropped frames
///         figure: {value: {column: frames_dropped_count, of: worker-merge}}
///         over: [profile]
///         holds-if: {at-most: 0}
///       - id: crash
///         statement: The other wiring crashes.
///         undecidable: no experiment has that wiring
///
/// The article's author, title and year, its experiments, and the evidence of a claim may be left out.
struct ArticleReader {
  private static let keys = ["author", "title", "year", ExperimentsReader.key, "claims"]
  private static let testKeys = ["evidence", "experiment", "label", "figure", "over", "holds-if"]

  /// The experiments that claims may name, in addition to those of the article.
  let experiments: [ClaimExperiment]

  /// Returns the article in a text, its claims, and all experiments that they may name.
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - place: The path of the file.
  /// - Returns: The article, its claims in the order of the file, and the experiments, the article's own ones last.
  /// - Throws: `YAMLError` that names the file, the line and the key.
  func catalogue(from text: String, place: String) throws(YAMLError) -> ClaimCatalogue {
    let root = try YAMLMapping(text: text, place: place, keys: Self.keys)
    let file = place.split(separator: "/").last.map(String.init) ?? place
    let article = Article(
      key: file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file,
      author: root.has("author") ? try root.text("author") : nil,
      title: root.has("title") ? try root.text("title") : file,
      year: root.has("year") ? try root.integer("year", in: 2000...2100) : nil)
    var catalogue = ClaimCatalogue(articles: [article], experiments: experiments, claims: [])
    if root.has(ExperimentsReader.key) {
      catalogue.experiments += try ExperimentsReader(place: place, known: experiments).experiments(in: root)
    }
    for mapping in try root.mappings("claims", keys: ["id", "statement", "undecidable"] + Self.testKeys) {
      let claim = try claim(mapping, article: article.key, experiments: catalogue.experiments)
      guard catalogue.claim(named: claim.id) == nil else {
        throw mapping.error("id", "\(claim.id) appears twice; use another id")
      }
      catalogue.claims.append(claim)
    }
    return catalogue
  }

  private func claim(
    _ mapping: YAMLMapping, article: String, experiments: [ClaimExperiment]
  ) throws(YAMLError) -> Claim {
    let id = try mapping.text("id")
    guard id.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }) else {
      throw mapping.error("id", "\(QuotedText.of(id)) is not an id; use letters from a to z, digits and hyphens")
    }
    let statement = try mapping.text("statement")
    guard mapping.has("undecidable") else {
      return Claim(
        id: id, article: article, statement: statement, decision: .test(try test(mapping, experiments: experiments)))
    }
    if let key = Self.testKeys.first(where: mapping.has) {
      throw mapping.error(key, "contradicts undecidable; use one of the two")
    }
    return Claim(
      id: id, article: article, statement: statement,
      decision: .undecidable(reason: try mapping.text("undecidable")))
  }

  private func test(_ mapping: YAMLMapping, experiments: [ClaimExperiment]) throws(YAMLError) -> ClaimTest {
    let experiment = mapping.has("experiment") ? try named(mapping, among: experiments) : nil
    let evidence = try evidence(mapping, experiment: experiment)
    let over = mapping.has("over") ? try mapping.texts("over") : []
    let reader = FigureReader(experiment: experiment, over: over)
    try reader.checkOver(mapping)
    let figure = try reader.figure(try mapping.mapping("figure", keys: FigureReader.forms), of: mapping)
    guard mapping.has("holds-if") else {
      throw mapping.error(
        "holds-if",
        "missing; use {\(Condition.Comparison.atMost.rawValue): 0}, or one of "
          + FigureReader.comparisons.joined(separator: ", "))
    }
    return ClaimTest(
      evidence: evidence, experiment: experiment?.id, figure: figure, label: try mapping.text("label"),
      condition: try reader.condition(
        try mapping.mapping("holds-if", keys: FigureReader.comparisons), in: mapping, key: "holds-if"),
      over: over)
  }

  private func named(
    _ mapping: YAMLMapping, among experiments: [ClaimExperiment]
  ) throws(YAMLError) -> ClaimExperiment {
    let id = try mapping.text("experiment")
    guard let experiment = experiments.first(where: { $0.id == id }) else {
      let names = experiments.map(\.id)
      throw mapping.error(
        "experiment",
        "\(QuotedText.of(id)) is not known; "
          + (NearestName.question(id, among: names) ?? "use one of \(names.joined(separator: ", "))"))
    }
    return experiment
  }

  /// Returns the evidence that a claim gives, or the one that its experiment suggests.
  private func evidence(
    _ mapping: YAMLMapping, experiment: ClaimExperiment?
  ) throws(YAMLError) -> ClaimTest.Evidence {
    guard mapping.has("evidence") else {
      return experiment.map { $0.machine == .live ? .live : .simulated } ?? .counter
    }
    let names = ClaimTest.Evidence.allCases.map(\.rawValue)
    let evidence = ClaimTest.Evidence(rawValue: try mapping.name("evidence", of: names)) ?? .counter
    if let experiment, (evidence == .live) != (experiment.machine == .live) {
      throw mapping.error("evidence", "\(experiment.id) runs on the \(experiment.machine.rawValue) machine")
    }
    return evidence
  }
}
