import MachineCore

/// Hears what the main thread does and keeps, per tick, where its time went, and every frame.
///
/// All `MainThreadObserver` calls and `frameBegan`/`frameEnded` come on the main thread; read after it has come to rest,
/// or on it. Everything is allocated at the start: an event allocates nothing unless the trial outgrows the capacity.
package final class MainQueueLedger: MainThreadObserver, @unchecked Sendable {
  // `@unchecked`: the account is touched on the main thread only while it runs, and read once it is at rest. It lives
  // behind a pointer because accesses to a class's own variables are checked for exclusivity, which costs more than
  // the additions themselves.
  private let account: UnsafeMutablePointer<MainThreadAccount>

  /// Called on the main thread at the end of each main block, with the instant at which it ended.
  ///
  /// Set it before the first block runs; see `stampsBlockEnds(of:_:)`.
  package var onBlockEnd: ((Instant) -> Void)?

  /// - Parameter tickCapacity: for how many ticks there is room before the ledger must grow.
  package init(tickCapacity: Int) {
    account = .allocate(capacity: 1)
    account.initialize(to: MainThreadAccount(tickCapacity: tickCapacity))
  }

  deinit {
    account.pointee.deallocate()
    account.deinitialize(count: 1)
    account.deallocate()
  }

  /// Starts measuring; call it once, on the main thread or before anything runs on it, before tick 0 is due.
  package func start(_ schedule: TickSchedule) {
    account.pointee.start(schedule)
  }

  /// Whether the main thread is inside a block of the main queue.
  package var isInBlock: Bool { account.pointee.isInBlock }

  /// The frame that ended last; ask on the main thread. Cheap, unlike `frames`, whose next one would copy them all.
  package var lastEndedFrame: PostedFrame? { account.pointee.frames.last { $0.end != nil } }

  /// The frames posted so far, in order; ask once the main thread is at rest.
  package var frames: [PostedFrame] { account.pointee.frames }

  /// Why frames started more than one interval late, by their ticks; ask once the main thread is at rest.
  package var stallReasons: [Int: StallReason] { account.pointee.stallReasons }

  /// Where the main thread's time went in a window that has ended.
  package func time(in window: Window) -> MainQueueTime {
    account.pointee.time(in: window)
  }
}

// MARK: - Blocks, activities, waits

extension MainQueueLedger {
  package func blockBegan(at instant: Instant, cpu: Span) {
    account.pointee.blockBegan(at: instant.nanoseconds, cpu: cpu.nanoseconds)
  }

  package func blockEnded(at instant: Instant, cpu: Span) {
    account.pointee.blockEnded(at: instant.nanoseconds, cpu: cpu.nanoseconds)
    onBlockEnd?(instant)
  }

  package func activityBegan(
    _ activity: Activity, of objectCount: Int = 0, in context: String? = nil, at instant: Instant
  ) {
    account.pointee.activityBegan(activity, of: objectCount, in: context, at: instant.nanoseconds)
  }

  package func activityEnded(_ activity: Activity, at instant: Instant) {
    account.pointee.ended(at: instant.nanoseconds)
  }

  package func objectsNoted(_ count: Int) {
    account.pointee.objectsNoted(count)
  }

  package func statementBegan(_ statement: UnsafePointer<CChar>?, at instant: Instant) {
    account.pointee.statementBegan(statement, at: instant.nanoseconds)
  }

  package func waitBegan(for label: String, heldBy holder: TurnHolder? = nil, at instant: Instant) {
    account.pointee.waitBegan(for: label, heldBy: holder, at: instant.nanoseconds)
  }

  package func waitEnded(at instant: Instant) {
    account.pointee.waitEnded(at: instant.nanoseconds)
  }
}

// MARK: - Frames

extension MainQueueLedger {
  /// The frame of `tick` starts; call it first in the frame's own main block.
  package func frameBegan(tick: Int, at instant: Instant) {
    account.pointee.frameBegan(tick: tick, at: instant.nanoseconds)
  }

  /// The frame has done its work; call it last in its block, with the instant that the `FrameGate` returned.
  package func frameEnded(at instant: Instant) {
    account.pointee.frameEnded(at: instant.nanoseconds)
  }

  /// Stamps what the ledgers hear inside a main block with the instant at which that block ends.
  package func stampsBlockEnds(of payloads: PayloadLedger, _ edits: EditLedger) {
    onBlockEnd = { instant in
      payloads.blockEnded(at: instant)
      edits.blockEnded(at: instant)
    }
  }
}
