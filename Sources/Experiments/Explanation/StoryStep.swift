import MachineCore

/// An action of a thread on a queue, with the steps that the thread took inside it, or a moment of a payload or an
/// edit.
struct StoryStep {
  enum Kind: Hashable {
    /// A block, or the body of a `sync`.
    ///
    /// `askedBy` is the label of the queue whose body posted the block or called `sync`. It is nil if the driver did
    /// so, or a thread that ran no body.
    case body(askedBy: String?, isPosted: Bool)
    case activity(Activity)
    case wait
    case statement
    case post
    /// A moment in the life of a payload or an edit, such as the one at which it becomes durable or visible.
    case moment
  }

  var kind: Kind
  var queue: String
  var thread: String
  var text: String
  var begin: Instant
  /// The position of the step's first event among all recorded events, which orders steps that begin at equal instants.
  var beginOrder: Int
  var end: Instant
  var endOrder: Int
  /// The instant at which a block was posted, or at which a thread began to wait for the queue of a `sync`. It is nil
  /// for other steps, and if the story does not contain that moment.
  var asked: Instant?
  /// The time that the step took. A merged step has the sum of its parts.
  var duration: TimeSpan
  /// The number of equal neighbouring steps that were merged into this one.
  var count = 1
  var children: [StoryStep] = []

  /// Returns true if the story shows another step in the same way: with the same kind, queue, thread, text and steps
  /// inside. Instants and durations may differ.
  func says(_ other: StoryStep) -> Bool {
    kind == other.kind && queue == other.queue && thread == other.thread && text == other.text
      && children.count == other.children.count
      && zip(children, other.children).allSatisfy { $0.says($1) && $0.count == $1.count }
  }

  /// Returns true if a step inside this one, at any depth, meets a condition.
  func contains(where condition: (StoryStep) -> Bool) -> Bool {
    children.contains { condition($0) || $0.contains(where: condition) }
  }

  /// A copy of the step in which equal neighbours inside it are merged.
  var merged: StoryStep {
    var step = self
    step.children = StoryStep.merging(children)
    return step
  }

  /// Returns the steps with equal neighbours merged into one, at every depth.
  static func merging(_ steps: [StoryStep]) -> [StoryStep] {
    var merged: [StoryStep] = []
    for step in steps.map(\.merged) {
      if let last = merged.last, last.says(step) {
        merged[merged.count - 1].count += step.count
        merged[merged.count - 1].duration += step.duration
        merged[merged.count - 1].end = step.end
        merged[merged.count - 1].endOrder = step.endOrder
      } else {
        merged.append(step)
      }
    }
    return merged
  }
}
