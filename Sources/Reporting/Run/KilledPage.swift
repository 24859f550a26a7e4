import Foundation
import Metrics

/// The page of a run whose apps were killed: a line for each stack, about its worst trial.
package struct KilledPage: Sendable {
  private let records: [KilledRecord]

  package init(records: [KilledRecord]) {
    self.records = records
  }

  package var page: Page {
    var names: [String] = []
    for record in records where !names.contains(record.name) { names.append(record.name) }
    let lines = names.compactMap { name in
      let trials = records.filter { $0.name == name }
      return trials.max { Self.loss($0) < Self.loss($1) }.map { line($0, of: trials.count) }
    }
    return Page(sections: [
      Page.Section((lines.isEmpty ? ["No app was killed."] : lines).map { .line(PageText($0)) })
    ])
  }

  /// Returns a key by which trials are ordered: an inconsistent store is the worst, then the loss of rows that the user
  /// had seen, then other losses.
  private static func loss(_ record: KilledRecord) -> (Int, Int, Int, Int) {
    (1 - record.consistent, record.rowsVisibleLostCount, record.editsLostCount, record.rowsLostCount)
  }

  private func line(_ record: KilledRecord, of trialCount: Int) -> String {
    let milliseconds = String(format: "%.0f", Double(record.killNanoseconds) / 1_000_000)
    let worst = trialCount > 1 ? " (worst of \(trialCount))" : ""
    let unseen = record.rowsLostCount - record.rowsVisibleLostCount
    let losses = [
      "\(Self.counted(record.payloadsVisibleLostCount, "payload")) "
        + "(\(Self.counted(record.rowsVisibleLostCount, "row"))) shown and lost",
      "\(Self.counted(unseen, "row")) arrived, not shown and lost",
      "\(record.editsLostCount) of \(Self.counted(record.editsAcknowledgedCount, "edit")) lost",
      record.consistent == 1 ? "store consistent" : "store NOT CONSISTENT",
    ]
    return "\(record.name): killed at \(milliseconds) ms\(worst): \(losses.joined(separator: ", "))"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
