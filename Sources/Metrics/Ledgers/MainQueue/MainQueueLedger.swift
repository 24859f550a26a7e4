import MachineCore

/// An observer of the main thread that sums up, per tick, how the thread spends its time, and keeps every frame.
///
/// All `MainThreadObserver` calls, `frameBegan` and `frameEnded` must be made on the main thread. The results may be
/// read on the main thread, or on any thread once the main thread is at rest. All memory is allocated at the start: an
/// event allocates memory only if the trial outgrows the capacity.
package final class MainQueueLedger: MainThreadObserver, @unchecked Sendable {
  // `@unchecked`: while it runs, the account is accessed on the main thread only, and once it is at rest it may be read
  // elsewhere.
  private var account: MainThreadAccount
  private let tickCapacity: Int

  /// A closure that is called on the main thread at the end of each main block, with the instant at which the block
  /// ended.
  ///
  /// Set it before the first block runs; see `stampsBlockEnds(of:_:)`.
  package var onBlockEnd: ((Instant) -> Void)?

  /// - Parameter tickCapacity: The number of ticks for which memory is reserved. The ledger grows beyond it.
  package init(tickCapacity: Int) {
    self.tickCapacity = tickCapacity
    account = MainThreadAccount(tickCapacity: tickCapacity)
  }

  deinit { account.deallocate() }

  /// Starts measuring. Call it once, before tick 0 is due, either on the main thread or before the main thread runs any
  /// block.
  package func start(_ schedule: TickSchedule) {
    account.start(schedule)
  }

  /// Forgets all events, so that measuring can be started again. Call it in a main block without activities.
  package func restart() {
    account.deallocate()
    account = MainThreadAccount(tickCapacity: tickCapacity)
  }

  /// Indicates whether the main thread is inside a block of the main queue.
  package var isInBlock: Bool { account.isInBlock }

  /// The frames posted so far, in order. Read them once the main thread is at rest.
  package var frames: [PostedFrame] { account.frames }

  /// The reasons for frames that started more than one interval late, keyed by their ticks. Read them once the main
  /// thread is at rest.
  package var stallReasons: [Int: StallReason] { account.stallReasons }

  /// Returns how the main thread spent a window that has ended.
  package func time(in window: Window) -> MainQueueTime {
    account.time(in: window)
  }
}

// MARK: - Blocks, activities, waits

extension MainQueueLedger {
  package func blockBegan(at instant: Instant, cpu: TimeSpan) {
    account.blockBegan(at: instant.nanoseconds, cpu: cpu.nanoseconds)
  }

  package func blockEnded(at instant: Instant, cpu: TimeSpan) {
    account.blockEnded(at: instant.nanoseconds, cpu: cpu.nanoseconds)
    onBlockEnd?(instant)
  }

  package func activityBegan(
    _ activity: Activity, of objectCount: Int = 0, in context: String? = nil, at instant: Instant
  ) {
    account.activityBegan(activity, of: objectCount, in: context, at: instant.nanoseconds)
  }

  package func activityEnded(_ activity: Activity, at instant: Instant) {
    account.ended(at: instant.nanoseconds)
  }

  package func objectsNoted(_ count: Int) {
    account.objectsNoted(count)
  }

  package func statementBegan(_ statement: RunningStatement?, at instant: Instant) {
    account.statementBegan(statement, at: instant.nanoseconds)
  }

  package func waitBegan(for label: String, heldBy holder: TurnHolder? = nil, at instant: Instant) {
    account.waitBegan(for: label, heldBy: holder, at: instant.nanoseconds)
  }

  package func waitEnded(at instant: Instant) {
    account.waitEnded(at: instant.nanoseconds)
  }
}

// MARK: - Frames

extension MainQueueLedger {
  /// Records that the frame of `tick` starts. Call it first in the frame's own main block.
  package func frameBegan(tick: Int, at instant: Instant) {
    account.frameBegan(tick: tick, at: instant.nanoseconds)
  }

  /// Records that the frame has ended. Call it last in the frame's block, with the instant that the `FrameGate`
  /// returned.
  package func frameEnded(at instant: Instant) {
    account.frameEnded(at: instant.nanoseconds)
  }

  /// Gives the events that the two ledgers record inside a main block the instant at which that block ends.
  package func stampsBlockEnds(of payloads: PayloadLedger, _ edits: EditLedger) {
    onBlockEnd = { instant in
      payloads.blockEnded(at: instant)
      edits.blockEnded(at: instant)
    }
  }
}
