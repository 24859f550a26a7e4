import Reporting

/// The claims as `stackbench claims --format csv` prints them: one row for each claim and case.
package enum ClaimsTable {
  package static let header = [
    "article", "claim", "evidence", "experiment", "settings", "trial", "figure", "holds", "verdict",
  ]

  /// Returns the table of judged claims. A claim that cannot be decided has one row without a figure.
  package static func csv(_ judged: [JudgedClaim]) -> CSV {
    CSV(
      header: header,
      records: judged.flatMap { judged -> [[String]] in
        let start = [
          judged.claim.article, judged.claim.id, judged.claim.test?.evidence.rawValue ?? "",
          judged.claim.test?.experiment ?? "",
        ]
        guard !judged.cases.isEmpty else { return [start + ["", "", "", "", judged.verdict.name]] }
        return judged.cases.map { element in
          start + [
            element.settings.map(\.text).joined(separator: " "), element.trial ?? "",
            element.figure.isFinite ? "\(element.figure)" : "", element.holds ? "1" : "0", judged.verdict.name,
          ]
        }
      })
  }
}
