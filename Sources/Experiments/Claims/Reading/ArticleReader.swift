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
    let keys = keys(place: place)
    let root = try YAMLMapping(text: text, place: place, keys: keys.names())
    let file = place.split(separator: "/").last.map(String.init) ?? place
    let article = Article(key: file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file, title: file)
    return try keys.value(of: root, ClaimCatalogue(articles: [article], experiments: experiments, claims: []))
  }

  private func keys(place: String) -> [YAMLKey<ClaimCatalogue>] {
    [
      .optional("author", \.articles[0].author, .text), .standard("title", \.articles[0].title, .text, ""),
      .optional("year", \.articles[0].year, .integer(in: 2000...2100)),
      .reading(ExperimentsReader.key) { (root, catalogue) throws(YAMLError) in
        catalogue.experiments += try ExperimentsReader(place: place, known: experiments).experiments(in: root)
      },
      .reading("claims", isRequired: true) { (root, catalogue) throws(YAMLError) in
        catalogue.claims = try Self.claims(
          in: root, article: catalogue.articles[0].key, experiments: catalogue.experiments)
      },
    ]
  }
}

// MARK: - Claims

extension ArticleReader {
  private static let claimKeys: [YAMLKey<Claim>] = [
    .required("id", \.id, .text).checked { (claim, mapping) throws(YAMLError) in
      guard claim.id.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }) else {
        throw mapping.error(
          "id", "\(QuotedText.of(claim.id)) is not an id; use letters from a to z, digits and hyphens")
      }
    },
    .required("statement", \.statement, .text),
    .reading("undecidable") { (mapping, claim) throws(YAMLError) in
      claim.decision = .undecidable(reason: try mapping.text("undecidable"))
    },
  ]

  private static func testKeys(_ experiments: [ClaimExperiment]) -> [YAMLKey<ClaimTest>] {
    [
      .standard("evidence", \.evidence, .listedChoice, .counter),
      .reading("experiment") { (mapping, test) throws(YAMLError) in
        let experiment = try named(mapping, among: experiments)
        let isLive = experiment.machine == .live
        if !mapping.has("evidence") {
          test.evidence = isLive ? .live : .simulated
        } else if (test.evidence == .live) != isLive {
          throw mapping.error("evidence", "\(experiment.id) runs on the \(experiment.machine.rawValue) machine")
        }
        test.experiment = experiment.id
      },
      .required("label", \.label, .text),
      .reading("figure", isRequired: true) { (mapping, test) throws(YAMLError) in
        let experiment = experiments.first { $0.id == test.experiment }
        let reader = FigureReader(
          experiment: experiment, over: mapping.has("over") ? try mapping.texts("over") : [])
        try reader.checkOver(mapping)
        test.figure = try reader.figure.read(mapping, "figure")
      },
      .standard("over", \.over, .texts, []), .required("holds-if", \.condition, condition),
    ]
  }

  private static let condition = YAMLForm<Condition>(
    missing: "missing; use {\(Condition.Comparison.atMost.rawValue): 0}, or one of "
      + Condition.Comparison.allCases.map(\.rawValue).joined(separator: ", "),
    FigureReader.condition.read)

  /// The test of a claim before its keys are read.
  private static let blankTest = ClaimTest(
    evidence: .counter, figure: .value(Operand(source: .columns([]))), label: "",
    condition: Condition(comparison: .equals, threshold: 0), over: [])

  private static func claims(
    in root: YAMLMapping, article: String, experiments: [ClaimExperiment]
  ) throws(YAMLError) -> [Claim] {
    let testKeys = testKeys(experiments)
    var claims: [Claim] = []
    for mapping in try root.mappings("claims", keys: claimKeys.names() + testKeys.names()) {
      let blank = Claim(id: "", article: article, statement: "", decision: .test(blankTest))
      var claim = try claimKeys.value(of: mapping, blank)
      if claim.test != nil {
        claim.decision = .test(try testKeys.value(of: mapping, blankTest))
      } else if let key = testKeys.names().first(where: mapping.has) {
        throw mapping.error(key, "contradicts undecidable; use one of the two")
      }
      guard !claims.contains(where: { $0.id == claim.id }) else {
        throw mapping.error("id", "\(claim.id) appears twice; use another id")
      }
      claims.append(claim)
    }
    return claims
  }

  private static func named(
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
}
