import MachineCore

/// What every thread of a simulated machine is doing, as far as its schedule trace has been heard: who runs a queue's
/// body on whose thread, why, and what a waiter waits for.
struct ScheduleThreads {
  /// The machine's own threads among the strands.
  static let main = 0
  static let driver = 1

  /// What a thread is in the middle of.
  enum Doing: Hashable {
    case body(ScheduleQueue)
    case activity(Activity)
    case wait(String)
  }

  /// Who asked for a body.
  struct Cause: Hashable {
    var strand: Int
    /// The label of the queue that it was on; nil outside queues.
    var queue: String?
    /// What it was doing then.
    var text: String
  }

  private var doing: [[Doing]] = []
  private var causes: [Int: Cause] = [:]
  /// What each thread was called last.
  private var lastNames: [Int: String] = [:]

  /// Takes an event in; ask what is asked about the beginning of something after it, about an end before it.
  mutating func take(_ event: ScheduleEvent, strand: Int) {
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

  /// Who asked for a body that is about to begin.
  func cause(_ cause: ScheduleEvent.BodyCause) -> Cause {
    switch cause {
    case .post(let number): causes[number] ?? Cause(strand: ScheduleThreads.driver, text: "driver")
    case .call(let strand): Cause(strand: strand, queue: queue(of: strand)?.label, text: text(of: strand))
    }
  }

  /// The main thread by its name, another by the queue whose block it runs.
  func name(of strand: Int) -> String {
    if strand == ScheduleThreads.main { return "main thread" }
    if strand == ScheduleThreads.driver { return "driver" }
    return lastNames[strand] ?? "idle thread"
  }

  /// The innermost queue that a thread runs a body of.
  func queue(of strand: Int) -> ScheduleQueue? {
    guard strand < doing.count else { return nil }
    for case .body(let queue) in doing[strand].reversed() { return queue }
    return nil
  }

  func isWaiting(_ strand: Int) -> Bool {
    guard strand < doing.count, case .wait? = doing[strand].last else { return false }
    return true
  }

  /// The innermost activity of a thread on its queue, as in “save on root”.
  func text(of strand: Int) -> String {
    if strand == ScheduleThreads.driver { return "driver" }
    guard let queue = queue(of: strand) else { return "idle" }
    for case .activity(let activity) in doing[strand].reversed() { return "\(activity.title) on \(queue.label)" }
    return "block of \(queue.label)"
  }

  /// The same, with what it waits for itself.
  func textWithWait(of strand: Int) -> String {
    guard isWaiting(strand), case .wait(let label)? = doing[strand].last else { return text(of: strand) }
    return "\(text(of: strand)), waiting for \(label)"
  }
}
