import ContextEngine
import MachineCore
import Metrics

/// An error of a trial that does not end: sentences that say which queue waits, for what, and since when.
package struct UnendedTrial: Error, CustomStringConvertible {
  let limit: TimeSpan
  let waits: [String]

  package var description: String {
    let seconds = limit.nanoseconds / 1_000_000_000
    let reached = "the limit of \(seconds) s of virtual time was reached before the trial ended"
    return ([reached] + waits).joined(separator: "; ")
  }
}

extension TrialSession {
  /// The largest number of payloads that are named.
  private static let shownCount = 5

  /// Sentences on the queues that still wait, for what, and since when. Call it while no lane works.
  var waits: [String] {
    let unsaved = payloads.unsaved
    var sentences = unsaved.prefix(Self.shownCount).map { payload, arrival in
      let context = stack.lastingContexts.first { tracker.has(.payload(payload), in: $0) }
      let place = context.map { "“\($0.name)”" } ?? "the queue of its import"
      return "\(place) has waited since \(Self.text(arrival)) for the COMMIT of payload \(payload)"
    }
    if unsaved.isEmpty, !isSettled {
      sentences = payloads.unshown.prefix(Self.shownCount).map { payload, arrival in
        "“\(stack.topology.uiContext)” has waited since \(Self.text(arrival)) for payload \(payload), which is saved"
      }
    }
    let missing = running.payloadCount - payloads.arrivedCount
    if missing > 0 { sentences.append("the network has yet to deliver \(missing) of \(running.payloadCount) payloads") }
    if tracker.mergeBacklog > 0 {
      sentences.append("“\(stack.topology.uiContext)” has \(tracker.mergeBacklog) merges in line")
    }
    if !edits.isAllDurable { sentences.append("edits of the user wait for a COMMIT") }
    for context in stack.lastingContexts where context.isDirty {
      sentences.append("“\(context.name)” has unsaved changes")
    }
    return sentences
  }

  private static func text(_ instant: Instant) -> String {
    "\(SpanText.milliseconds(TimeSpan(nanoseconds: instant.nanoseconds / 1_000 * 1_000))) ms"
  }
}
