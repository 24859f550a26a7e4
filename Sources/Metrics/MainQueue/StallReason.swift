import MachineCore

/// Why a frame started late: what the main thread did from the tick to the frame's start.
package struct StallReason: Hashable, Sendable, Codable {
  /// The name of the context in which the cause held the main thread longest; nil where it was none.
  package var context: String?
  /// How many objects that was about; nil where nobody said.
  package var objectCount: Int?
  /// The SQL statement that took longest on the main thread, all its runs together, without values; nil where none ran.
  package var statement: String?
  /// For what the main thread was parked longest, and what whoever had that was doing as the wait began; nil where it was
  /// never parked.
  package var waitedFor: String?
  /// How long it was parked for that.
  package var waited: Span?

  package init(
    context: String? = nil, objectCount: Int? = nil, statement: String? = nil, waitedFor: String? = nil,
    waited: Span? = nil
  ) {
    self.context = context
    self.objectCount = objectCount
    self.statement = statement
    self.waitedFor = waitedFor
    self.waited = waited
  }

  /// What is waited for and what its holder does: `root: save`, of a queue whose own block that is; `store writer: save on
  /// worker`, of what a block of another queue has; `root: save (waits for store writer)`; `root` where nothing is
  /// known of the holder.
  package static func text(of label: String, heldBy holder: TurnHolder?) -> String {
    guard let holder, holder.queue != nil || holder.activity != nil else { return label }
    var text = "\(label): \(holder.activity?.title ?? "block")"
    if let queue = holder.queue, queue != label { text += holder.activity == nil ? " of \(queue)" : " on \(queue)" }
    if let awaited = holder.awaited { text += " (waits for \(awaited))" }
    return text
  }
}
