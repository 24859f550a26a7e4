import Foundation
import Metrics

/// What a run whose apps were killed prints: a line for each topology, its worst trial.
package struct KilledReport: Sendable {
  package var records: [KilledRecord]

  package init(records: [KilledRecord]) {
    self.records = records
  }

  package var text: String {
    guard !records.isEmpty else { return "No trial came to its death.\n" }
    var names: [String] = []
    for record in records where !names.contains(record.name) { names.append(record.name) }
    return names.map { name in
      let trials = records.filter { $0.name == name }
      guard let worst = trials.max(by: { Self.loss($0) < Self.loss($1) }) else { return "" }
      return line(worst, of: trials.count)
    }.joined()
  }

  /// An inconsistent store is the worst, then what the user had seen, then the rest.
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
    return "\(record.name): killed at \(milliseconds) ms\(worst): \(losses.joined(separator: ", "))\n"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
