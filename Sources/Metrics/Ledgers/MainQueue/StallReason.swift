import MachineCore

/// The reason that a frame started late: the work of the main thread from the tick to the frame's start.
package struct StallReason: Hashable, Sendable, Codable {
  /// The name of the context in which the cause occupied the main thread longest, or nil if there was no such context.
  package var context: String?
  /// The number of objects that the cause concerned in that context, or nil if it was not reported.
  package var objectCount: Int?
  /// The SQL statement that took longest on the main thread, summed over all its runs and without values; nil if no
  /// statement ran.
  package var statement: String?
  /// The queue or lock for which the main thread was parked longest, with the activity of its holder when the wait
  /// began; nil if the main thread was never parked.
  package var waitedFor: String?
  /// The length of time for which the main thread was parked for `waitedFor`.
  package var waited: TimeSpan?

  package init(
    context: String? = nil, objectCount: Int? = nil, statement: String? = nil, waitedFor: String? = nil,
    waited: TimeSpan? = nil
  ) {
    self.context = context
    self.objectCount = objectCount
    self.statement = statement
    self.waitedFor = waitedFor
    self.waited = waited
  }

  /// Returns a text that names the awaited queue or lock and the activity of its holder.
  ///
  /// The text is `root: save` if the holder is a block of the awaited queue itself, `store writer: save on worker` if
  /// it is a block of another queue, `root: save (waits for store writer)` if the holder is itself waiting, and `root`
  /// if the holder's queue and activity are unknown.
  package static func text(of label: String, heldBy holder: TurnHolder?) -> String {
    guard let holder, holder.queue != nil || holder.activity != nil else { return label }
    var text = "\(label): \(holder.activity?.title ?? "block")"
    if let queue = holder.queue, queue != label { text += holder.activity == nil ? " of \(queue)" : " on \(queue)" }
    if let awaited = holder.awaited { text += " (waits for \(awaited))" }
    return text
  }
}
