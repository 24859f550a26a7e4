import Reporting

/// The claims as `stackbench claims --format json` prints them.
package struct ClaimsDocument: Encodable {
  /// The version of this form.
  package static let schema = 1

  struct Article: Encodable {
    var key: String
    var author: String?
    var title: String
    var year: Int?
  }

  struct Case: Encodable {
    var settings: [String: String]
    var trial: String?
    /// The figure, or nil if it is infinite or has no value.
    var figure: Double?
    var holds: Bool
  }

  struct Row: Encodable {
    var id: String
    var article: String
    var statement: String
    var evidence: String?
    var experiment: String?
    var label: String?
    var unit: String?
    var holdsIf: [String: Double]?
    var verdict: String
    var reason: String?
    var cases: [Case]
    var commands: [String]
  }

  var schema = Self.schema
  /// The device on which the experiments ran, or nil if each ran on its own devices.
  var profile: String?
  var articles: [Article]
  var claims: [Row]

  package init(_ judged: [JudgedClaim], of catalogue: ClaimCatalogue, profile: String? = nil) {
    self.profile = profile
    articles = catalogue.articles.map { Article(key: $0.key, author: $0.author, title: $0.title, year: $0.year) }
    claims = judged.map(Row.init)
  }
}

extension ClaimsDocument.Row {
  init(_ judged: JudgedClaim) {
    let test = judged.claim.test
    var reason: String?
    if case .undecidable(let text) = judged.verdict { reason = text }
    self.init(
      id: judged.claim.id, article: judged.claim.article, statement: judged.claim.statement,
      evidence: test?.evidence.rawValue, experiment: test?.experiment, label: test?.label,
      unit: test.map { FigureUnit(of: $0.figure).name },
      holdsIf: test.map { [$0.condition.comparison.rawValue: $0.condition.threshold] },
      verdict: judged.verdict.name, reason: reason,
      cases: judged.cases.map { element in
        ClaimsDocument.Case(
          settings: Dictionary(uniqueKeysWithValues: element.settings.map { ($0.name, $0.value) }),
          trial: element.trial, figure: element.figure.isFinite ? element.figure : nil, holds: element.holds)
      },
      commands: judged.commands)
  }
}

extension FigureUnit {
  /// The name of the unit for programs.
  fileprivate var name: String {
    switch self {
    case .nanoseconds: "ns"
    case .milliseconds: "ms"
    case .millisecondsPerSecond: "ms/s"
    case .megabytes: "MB"
    case .rowsPerSecond: "rows/s"
    case .count: "count"
    case .ratio: "ratio"
    case .percent: "%"
    case .setting(let name): name
    }
  }
}
