import MachineCore

/// The state of every thread of a machine, computed from the events of its schedule.
///
/// It has the queue whose body each thread runs, the thread that asked for the body, and the queue or lock for which a
/// waiting thread waits.
package struct ScheduleThreads {
  /// The number of the main thread among the strands.
  package static let main = 0
  /// The number of the driver's thread among the strands.
  package static let driver = 1

  /// A body, an activity or a wait. A thread can have several open, each inside the previous one.
  enum Doing: Hashable {
    case body(String)
    case activity(String)
    case wait(String)
  }

  /// The thread that asked for a body.
  package struct Cause: Hashable {
    package var strand: Int
    /// The label of the innermost queue whose body the thread ran, or nil if it ran no body.
    package var queue: String?
    /// A description of the thread's innermost activity, such as `save on root`.
    package var text: String
  }

  package init() {}

  private var doing: [[Doing]] = []
  private var causes: [Int: Cause] = [:]
  /// The label of the queue whose outermost body each thread ran last.
  private var lastNames: [Int: String] = [:]

  /// Updates the state with an event. Read the state after passing an event that begins something, and before passing
  /// one that ends something.
  package mutating func take(_ event: ScheduleEvent, strand: Int) {
    if let content = RecordedEvent.Content(event) { take(content, strand: strand) }
  }

  /// Updates the state with a recorded event.
  mutating func take(_ content: RecordedEvent.Content, strand: Int) {
    while doing.count <= strand { doing.append([]) }
    switch content {
    case .bodyBegan(let queue, let post, _):
      if doing[strand].isEmpty { lastNames[strand] = queue }
      doing[strand].append(.body(queue))
      if let post { causes[post] = nil }
    case .activityBegan(let title): doing[strand].append(.activity(title))
    case .waitBegan(let label, _): doing[strand].append(.wait(label))
    case .bodyEnded, .activityEnded, .waitEnded: _ = doing[strand].popLast()
    case .posted(_, let number, _):
      causes[number] = Cause(strand: strand, queue: queue(of: strand), text: text(of: strand))
    case .statement, .repeated, .noted: break
    }
  }

  /// Returns the thread that asked for a body that is about to begin. It is the driver if the post is not known.
  package func cause(_ cause: ScheduleEvent.BodyCause) -> Cause {
    switch cause {
    case .post(let number): causes[number] ?? Cause(strand: ScheduleThreads.driver, text: "driver")
    case .call(let strand): Cause(strand: strand, queue: queue(of: strand), text: text(of: strand))
    }
  }

  /// Returns the name of a thread. A thread other than the main thread and the driver has the label of the queue whose
  /// outermost block it runs or ran last, or is called `idle thread` if it has run no block.
  package func name(of strand: Int) -> String {
    if strand == ScheduleThreads.main { return "main thread" }
    if strand == ScheduleThreads.driver { return "driver" }
    return lastNames[strand] ?? "idle thread"
  }

  /// Returns the label of the innermost queue whose body a thread runs, or nil if it runs no body.
  package func queue(of strand: Int) -> String? {
    guard strand < doing.count else { return nil }
    for case .body(let queue) in doing[strand].reversed() { return queue }
    return nil
  }

  /// Returns true if a thread waits for a queue, a lock or the clock.
  package func isWaiting(_ strand: Int) -> Bool {
    guard strand < doing.count, case .wait? = doing[strand].last else { return false }
    return true
  }

  /// Returns a description of a thread: its innermost activity and the queue whose body it runs, such as
  /// `save on root`.
  ///
  /// The activity may have begun before that body did: a fetch of a child context that runs in a body of the parent's
  /// queue is a fetch on that queue. The text is `block of root` without an activity, `idle` for a thread that runs no
  /// body, and `driver` for the driver.
  package func text(of strand: Int) -> String {
    if strand == ScheduleThreads.driver { return "driver" }
    guard let queue = queue(of: strand) else { return "idle" }
    for case .activity(let activity) in doing[strand].reversed() { return "\(activity) on \(queue)" }
    return "block of \(queue)"
  }

  /// Returns a description of a thread's innermost activity and, if the thread waits, the label for which it waits.
  package func textWithWait(of strand: Int) -> String {
    guard isWaiting(strand), case .wait(let label)? = doing[strand].last else { return text(of: strand) }
    return "\(text(of: strand)), waiting for \(label)"
  }
}
