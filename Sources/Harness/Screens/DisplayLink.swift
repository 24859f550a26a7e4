import ContextEngine
import MachineCore
import Metrics
import Synchronization

/// A timer that ticks at absolute deadlines, and posts a frame to the main queue unless a frame is pending or running.
final class DisplayLink: Sendable {
  private let machine: any Machine
  private let schedule: TickSchedule
  private let ledger: MainQueueLedger
  private let gate = FrameGate()
  private let queue: any SerialQueue
  private let isStopped = Atomic(false)
  private let drawFrame: @Sendable (_ tick: Int, _ due: Instant) -> Void
  private let runQueueWait: @Sendable () -> TimeSpan?
  private let waited = Guarded<TimeSpan?>(nil)

  /// Creates a timer that does not tick yet. `drawFrame` draws the frame of a tick and is called on the main queue.
  init(
    machine: any Machine, schedule: TickSchedule, ledger: MainQueueLedger,
    runQueueWait: @escaping @Sendable () -> TimeSpan?, drawFrame: @escaping @Sendable (Int, Instant) -> Void
  ) {
    self.machine = machine
    self.schedule = schedule
    self.ledger = ledger
    self.runQueueWait = runQueueWait
    self.drawFrame = drawFrame
    queue = machine.makeSerialQueue(label: "display")
  }

  /// Starts ticking at tick 0; returns at once.
  func start() {
    queue.async { [self] in tick() }
  }

  /// Stops after the next tick, and returns then. A frame may still be pending or running.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    queue.sync {}
  }

  /// The time that the ticking thread was runnable without a core, or nil if it is not known. Read it after `stop()`.
  var runQueueWaited: TimeSpan? { waited.withLock { $0 } }

  private func tick() {
    let before = runQueueWait()
    var tick = 0
    while !isStopped.load(ordering: .acquiring) {
      let due = schedule.instant(ofTick: tick)
      machine.wait(until: due)
      if gate.posts(tickDueAt: due) {
        let posted = tick
        machine.mainQueue.async { [self] in frame(posted, due: due) }
      }
      tick += 1
    }
    if let before, let after = runQueueWait() { waited.withLock { $0 = after - before } }
  }

  private func frame(_ tick: Int, due: Instant) {
    machine.recorder.during(.frame) {
      ledger.frameBegan(tick: tick, at: machine.now)
      drawFrame(tick, due)
      ledger.frameEnded(at: gate.frameEnded(at: machine.now))
    }
  }
}
