import Dispatch
import MachineCore
import TrialProcesses

/// Watches the threads of a live machine, and passes their events to a recorder.
///
/// It finds the moment at which all posted blocks have ended, and threads that wait for each other's queues in a circle.
/// Both follow from the order of events alone, so that they do not depend on the speed of the computer. Waits for locks
/// have no known holder, so a circle through a lock is not found.
final class LiveWatch: ScheduleObserver {
  /// Threads that wait for each other in a circle.
  struct Deadlock: Error {
    /// The report in the words of the simulated machine.
    var message: String
  }

  fileprivate struct Body {
    var queue: String
    var cause: ScheduleEvent.BodyCause
  }

  fileprivate struct Thread {
    /// The bodies that the thread runs, with the innermost last.
    var bodies: [Body] = []
    /// The label of the queue or lock for which the thread waits.
    var awaited: String?
  }

  fileprivate struct State: Sendable {
    /// The number of posted blocks that have not ended.
    var pendingCount = 0
    /// The threads by their numbers.
    var threads: [Thread] = []
    var deadlock: Deadlock?
    /// True if the driver waits for a standstill.
    var isAwaited = false

    var isStill: Bool { pendingCount == 0 || deadlock != nil }
  }

  private let recorder: StepRecorder
  private let state = Guarded(State())
  private let standstill = DispatchSemaphore(value: 0)

  /// Creates a watch that passes all events to a recorder.
  init(_ recorder: StepRecorder) {
    self.recorder = recorder
  }

  func record(_ event: ScheduleEvent, strand: Int, at instant: Instant) {
    let wakes = state.withLock { state in
      recorder.record(event, strand: strand, at: instant)
      state.take(event, strand)
      defer { if state.isStill { state.isAwaited = false } }
      return state.isAwaited && state.isStill
    }
    if wakes { standstill.signal() }
  }

  /// Blocks the driver until all posted blocks have ended.
  ///
  /// - Throws: `Deadlock` if threads wait for each other in a circle.
  func waitForStandstill() throws(Deadlock) {
    let waits = state.withLock { state in
      state.isAwaited = !state.isStill
      return state.isAwaited
    }
    if waits { standstill.wait() }
    if let deadlock = state.withLock({ $0.deadlock }) { throw deadlock }
  }
}

// MARK: - Threads and queues

extension LiveWatch.State {
  fileprivate mutating func take(_ event: ScheduleEvent, _ strand: Int) {
    guard deadlock == nil else { return }
    while threads.count <= strand { threads.append(LiveWatch.Thread()) }
    switch event {
    case .posted: pendingCount += 1
    case .bodyBegan(let queue, _, let cause):
      threads[strand].bodies.append(LiveWatch.Body(queue: queue.label, cause: cause))
    case .bodyEnded: end(threads[strand].bodies.popLast())
    case .waitBegan(let label, _):
      threads[strand].awaited = label
      deadlock = circle(from: strand).map(report)
    case .waitEnded: threads[strand].awaited = nil
    case .activityBegan, .activityEnded, .coreTaken, .coreLeft, .storageBegan, .storageEnded, .worked, .connection,
      .noted:
      break
    }
  }

  private mutating func end(_ body: LiveWatch.Body?) {
    switch body?.cause {
    case .post?: pendingCount -= 1
    // The main thread has served a caller, which may not have noticed it yet.
    case .call(let caller)? where threads.indices.contains(caller): threads[caller].awaited = nil
    case .call?, nil: break
    }
  }

  /// Returns the threads that wait for each other in a circle with a thread, beginning with that thread, or nil.
  private func circle(from strand: Int) -> [Int]? {
    var circle = [strand]
    while let next = holder(ofQueueAwaitedBy: circle[circle.count - 1]) {
      if next == strand { return circle }
      if circle.contains(next) { return nil }
      circle.append(next)
    }
    return nil
  }

  /// Returns the thread that has the queue for which a thread waits, or nil if that is not known.
  private func holder(ofQueueAwaitedBy strand: Int) -> Int? {
    guard let label = threads[strand].awaited else { return nil }
    if label == "main" { return ScheduleThreads.main }
    return threads.indices.first { other in
      other != strand && threads[other].bodies.contains { $0.queue == label }
    }
  }

  private func report(_ circle: [Int]) -> LiveWatch.Deadlock {
    let labels = circle.map { "“\(threads[$0].awaited ?? "")”" }.joined(separator: ", ")
    return LiveWatch.Deadlock(message: "deadlock: \(circle.count) threads wait for each other's \(labels)")
  }
}
