import MachineCore

/// An action of a thread on a queue, with the steps that the thread took inside it, or a moment without duration.
package struct ScheduleStep {
  package enum Kind: Hashable {
    /// A block, or the body of a `sync`.
    ///
    /// `askedBy` is the label of the queue whose body posted the block or called `sync`. It is nil if the driver did
    /// so, or a thread that ran no body.
    case body(askedBy: String?, isPosted: Bool)
    case activity(Activity)
    case wait
    case statement
    case post
    /// A moment without duration, such as the one at which a payload becomes durable or visible.
    case moment
  }

  /// The kind of the action.
  package var kind: Kind
  /// The label of the innermost queue whose body the thread runs.
  package var queue: String
  /// The name of the thread.
  package var thread: String
  /// A description of the action.
  package var text: String
  /// The instant of the step's first event.
  package var begin: Instant
  /// The position of the step's first event among all recorded events, which orders steps that begin at equal instants.
  package var beginOrder: Int
  /// The instant of the step's last event.
  package var end: Instant
  /// The position of the step's last event among all recorded events.
  package var endOrder: Int
  /// The instant at which a block was posted, or at which a thread began to wait for the queue of a `sync`. It is nil
  /// for other steps, and if that moment is not among the steps.
  package var asked: Instant?
  /// The time that the step took. A merged step has the sum of its parts.
  package var duration: TimeSpan
  /// The number of equal neighbouring steps that were merged into this one.
  package var count = 1
  /// True if the recording ended before the step did.
  package var isUnfinished = false
  /// The steps that the thread took inside this one.
  package var children: [ScheduleStep] = []

  /// Creates a step without steps inside it.
  package init(
    kind: Kind, queue: String, thread: String, text: String, begin: Instant, beginOrder: Int, end: Instant,
    endOrder: Int, asked: Instant? = nil, duration: TimeSpan
  ) {
    self.kind = kind
    self.queue = queue
    self.thread = thread
    self.text = text
    self.begin = begin
    self.beginOrder = beginOrder
    self.end = end
    self.endOrder = endOrder
    self.asked = asked
    self.duration = duration
  }

  /// Returns true if another step is shown in the same way: with the same kind, queue, thread, text and steps
  /// inside. Instants and durations may differ.
  package func says(_ other: ScheduleStep) -> Bool {
    kind == other.kind && isUnfinished == other.isUnfinished && queue == other.queue && thread == other.thread
      && text == other.text
      && children.count == other.children.count
      && zip(children, other.children).allSatisfy { $0.says($1) && $0.count == $1.count }
  }

  /// Returns true if a step inside this one, at any depth, meets a condition.
  package func contains(where condition: (ScheduleStep) -> Bool) -> Bool {
    children.contains { condition($0) || $0.contains(where: condition) }
  }

  /// A copy of the step in which equal neighbours inside it are merged.
  package var merged: ScheduleStep {
    var step = self
    step.children = ScheduleStep.merging(children)
    return step
  }

  /// Returns the steps with equal neighbours merged into one, at every depth.
  package static func merging(_ steps: [ScheduleStep]) -> [ScheduleStep] {
    var merged: [ScheduleStep] = []
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
