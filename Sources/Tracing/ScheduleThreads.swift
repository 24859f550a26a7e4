import MachineCore

/// The state of every thread of a simulated machine, kept from the events of its schedule: the queue whose body each
/// thread runs, what asked for the body, and what a waiting thread waits for.
package struct ScheduleThreads {
  /// The number of the main thread among the strands.
  package static let main = 0
  /// The number of the driver's thread among the strands.
  package static let driver = 1

  /// One of the things that a thread does at a time, each inside the one before.
  enum Doing: Hashable {
    case body(ScheduleQueue)
    case activity(Activity)
    case wait(String)
  }

  /// The thread that asked for a body.
  package struct Cause: Hashable {
    package var strand: Int
    /// The label of the queue that the thread was on, or nil if it was on none.
    package var queue: String?
    /// What the thread was doing, such as `save on root`.
    package var text: String
  }

  package init() {}

  private var doing: [[Doing]] = []
  private var causes: [Int: Cause] = [:]
  /// The last name of each thread.
  private var lastNames: [Int: String] = [:]

  /// Takes an event. Read the state of a beginning after it is taken, and of an end before.
  package mutating func take(_ event: ScheduleEvent, strand: Int) {
    while doing.count <= strand { doing.append([]) }
    switch event {
    case .bodyBegan(let queue, _, let cause):
      if doing[strand].isEmpty { lastNames[strand] = queue.label }
      doing[strand].append(.body(queue))
      if case .post(let number) = cause { causes[number] = nil }
    case .activityBegan(let activity): doing[strand].append(.activity(activity))
    case .waitBegan(let label, _): doing[strand].append(.wait(label))
    case .bodyEnded, .activityEnded, .waitEnded: _ = doing[strand].popLast()
    case .posted(_, let number, _, _):
      causes[number] = Cause(strand: strand, queue: queue(of: strand)?.label, text: text(of: strand))
    case .coreTaken, .coreLeft, .storageBegan, .storageEnded, .worked, .connection, .noted: break
    }
  }

  /// Returns the thread that asked for a body that is about to begin.
  package func cause(_ cause: ScheduleEvent.BodyCause) -> Cause {
    switch cause {
    case .post(let number): causes[number] ?? Cause(strand: ScheduleThreads.driver, text: "driver")
    case .call(let strand): Cause(strand: strand, queue: queue(of: strand)?.label, text: text(of: strand))
    }
  }

  /// Returns the name of a thread. Threads other than the main one have the label of the queue whose block they run.
  package func name(of strand: Int) -> String {
    if strand == ScheduleThreads.main { return "main thread" }
    if strand == ScheduleThreads.driver { return "driver" }
    return lastNames[strand] ?? "idle thread"
  }

  /// Returns the innermost queue whose body a thread runs, or nil.
  package func queue(of strand: Int) -> ScheduleQueue? {
    guard strand < doing.count else { return nil }
    for case .body(let queue) in doing[strand].reversed() { return queue }
    return nil
  }

  /// Indicates whether a thread waits.
  package func isWaiting(_ strand: Int) -> Bool {
    guard strand < doing.count, case .wait? = doing[strand].last else { return false }
    return true
  }

  /// Returns the innermost activity of a thread on its queue, such as `save on root`.
  package func text(of strand: Int) -> String {
    if strand == ScheduleThreads.driver { return "driver" }
    guard let queue = queue(of: strand) else { return "idle" }
    for case .activity(let activity) in doing[strand].reversed() { return "\(activity.title) on \(queue.label)" }
    return "block of \(queue.label)"
  }

  /// Returns the innermost activity of a thread, and what it waits for if it does.
  package func textWithWait(of strand: Int) -> String {
    guard isWaiting(strand), case .wait(let label)? = doing[strand].last else { return text(of: strand) }
    return "\(text(of: strand)), waiting for \(label)"
  }
}
