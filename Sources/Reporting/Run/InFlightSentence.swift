import Metrics

/// A sentence on the computations of a stack whose input the user deleted while they ran.
struct InFlightSentence {
  private let name: String
  private let startedCount: Int64
  private let measures: TrialMeasures

  /// Creates the sentence of a summary, or returns nil if its run had no computations.
  init?(_ summary: Summary) {
    guard let started = summary.measures.inFlightStartedCount else { return nil }
    name = summary.identity.name
    startedCount = started
    measures = summary.measures
  }

  var text: String {
    let counts = [
      (measures.inFlightAppliedCount, "applied"), (measures.inFlightFailedCount, "failed"),
      (measures.inFlightDiscardedCount, "discarded"), (measures.inFlightCancelledCount, "cancelled"),
    ]
    let fates = counts.compactMap { count, word in count.flatMap { $0 > 0 ? "\($0) \(word)" : nil } }
    var text = "\(name): \(startedCount) computation\(startedCount == 1 ? "" : "s")"
    if !fates.isEmpty { text += ", \(fates.joined(separator: ", "))" }
    if let restored = measures.inFlightRestoredCount, restored > 0 {
      text += "; \(restored) deleted row\(restored == 1 ? "" : "s") came back"
    }
    if let median = measures.inFlightWaitNanosecondsP50, let longest = measures.inFlightWaitNanosecondsMaximum {
      text += "; a deletion took \(Self.text(median)), at most \(Self.text(longest))"
    }
    return text + "."
  }

  private static func text(_ nanoseconds: Int64) -> String {
    "\(RunPage.text(nanoseconds, per: 1_000_000, digits: 1)) ms"
  }
}
