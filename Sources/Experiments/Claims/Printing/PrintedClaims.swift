import Reporting

/// Judged claims as `stackbench claims` prints them.
package struct PrintedClaims: PrintableResult {
  private let page: ClaimsPage
  /// The list that text shows in place of the page, or nil if it shows the page.
  private let list: ClaimsList?
  private let judged: [JudgedClaim]
  private let catalogue: ClaimCatalogue
  /// The device on which the experiments ran, or nil if each ran on its own devices.
  private let profile: String?

  package init(
    _ page: ClaimsPage, list: ClaimsList?, judged: [JudgedClaim], of catalogue: ClaimCatalogue, profile: String? = nil
  ) {
    (self.page, self.list, self.judged, self.catalogue, self.profile) = (page, list, judged, catalogue, profile)
  }

  package static let formats: [OutputFormat] = [.text, .markdown, .json, .csv]
  package static let titleLevel = 1

  package func pages(for format: OutputFormat) -> [Page] {
    [format == .text ? list?.page ?? page.page : page.page]
  }

  package func otherText(_ format: OutputFormat) -> String { ClaimsTable.csv(judged).text }

  package var json: any Encodable {
    let articles = catalogue.articles.map { article -> JSONObject in
      return .leavingOutNulls([
        "key": article.key, "author": article.author, "title": article.title, "year": article.year,
      ])
    }
    return JSONObject.leavingOutNulls([
      "schema": 1, "profile": profile, "articles": articles, "claims": judged.map(\.json),
    ])
  }
}

extension JudgedClaim {
  fileprivate var json: JSONObject {
    let test = claim.test
    let reason: String? = if case .undecidable(let text) = verdict { text } else { nil }
    let cases = cases.map { element -> JSONObject in
      return .leavingOutNulls([
        "settings": Dictionary(uniqueKeysWithValues: element.settings.map { ($0.name, $0.value) }),
        "trial": element.trial, "figure": element.figure.isFinite ? element.figure : nil, "holds": element.holds,
      ])
    }
    return .leavingOutNulls([
      "id": claim.id, "article": claim.article, "statement": claim.statement, "evidence": test?.evidence.rawValue,
      "experiment": test?.experiment, "label": test?.label, "unit": test.map { FigureUnit(of: $0.figure).name },
      "holds_if": test.map { [$0.condition.comparison.rawValue: $0.condition.threshold] },
      "verdict": verdict.name, "reason": reason, "cases": cases, "commands": commands,
    ])
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
