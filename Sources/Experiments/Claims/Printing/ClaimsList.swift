import Reporting

/// Claims as a list for a terminal: a line for each claim, with its verdict and a short form of its statement.
package struct ClaimsList: Sendable {
  /// The number of columns below which a statement is left out.
  private static let leastRoom = 12

  private let judged: [JudgedClaim]
  private let width: Int

  /// Creates the list of judged claims for a terminal with a number of columns.
  package init(_ judged: [JudgedClaim], width: Int) {
    self.judged = judged
    self.width = width
  }

  package var page: Page {
    guard !judged.isEmpty else { return Page(sections: [Page.Section([.missing("No claim has this verdict.")])]) }
    var columns: [PageColumn<JudgedClaim>] = [
      .code("claim", text: \.claim.id),
      PageColumn(cells: "verdict") { judged in
        PageTable.Cell(judged.verdict.name, tone: judged.verdict == .doesNotHold ? .bad : nil)
      },
      PageColumn("holds in", .right) { ClaimText(judged: $0, experiment: nil).share },
    ]
    let rule = TerminalTable(PageTable(of: judged, columns), width: .max).lines[1]
    let room = width - rule.count - 1
    if room >= Self.leastRoom {
      columns.append(PageColumn("statement") { Self.cut($0.claim.statement, to: room) })
    }
    return Page(sections: [
      Page.Section([.table(PageTable(of: judged, columns))]), Page.Section([.paragraphs([summary])]),
    ])
  }

  /// The number of claims with each verdict.
  private var summary: PageText {
    let counts = ClaimVerdict.names.compactMap { name in
      let count = judged.count { $0.verdict.name == name }
      return count > 0 ? "\(name) \(count)" : nil
    }
    let claims = judged.count == 1 ? "1 claim" : "\(judged.count) claims"
    return "\(claims): \(counts.joined(separator: ", ")). \(command: "stackbench claims ID") shows one."
  }

  /// Returns the beginning of a text that is longer than some columns, with an ellipsis in the last one.
  private static func cut(_ text: String, to room: Int) -> String {
    guard text.count > room else { return text }
    let words = text.prefix(room - 1)
    return String(words.reversed().drop { $0 == " " || $0 == "," }.reversed()) + "…"
  }
}
