import MachineCore

/// A machine that runs on real threads in real time.
///
/// The main queue has a separate thread, private queues run on Dispatch threads, and time is the system's monotonic
/// clock, counted from the creation of the machine. Any thread may call the machine. A thread that no block has given a
/// role does background work.
///
/// `stop()` ends the machine's threads. If the machine is freed without it, the threads end by themselves. Keep a
/// reference to the machine as long as its queues are in use.
public final class LiveMachine: Machine {
  private let clock: LiveClock
  private let ledger: WorkLedger
  private let mainLedger: WorkLedger?
  private let reporter: MainThreadReporter
  private let timers: LiveTimers
  private let liveMainQueue: LiveMainQueue
  private let mainThread: OwnThread

  /// Creates a machine and starts its main thread.
  ///
  /// - Parameters:
  ///   - ledger: The ledger to which reported work is added.
  ///   - observer: The observer of the main thread, which is called on that thread; nil saves the clock reads.
  public convenience init(ledger: WorkLedger, observer: (any MainThreadObserver)? = nil) {
    self.init(ledger: ledger, observer: observer, trace: nil)
  }

  /// Creates a machine and starts its main thread.
  ///
  /// - Parameters:
  ///   - ledger: The ledger to which reported work is added.
  ///   - mainLedger: The ledger to which the work of the main thread is added a second time, or nil.
  ///   - observer: The observer of the main thread, which is called on that thread; nil saves the clock reads.
  ///   - trace: A trace that records the steps of every thread, or nil.
  ///   - clockOrigin: The `clockOrigin` of another machine whose instants this machine shares, or nil to count from now.
  package init(
    ledger: WorkLedger, mainLedger: WorkLedger? = nil, observer: (any MainThreadObserver)? = nil, trace: LiveTrace?,
    clockOrigin: Int64? = nil
  ) {
    let clock = LiveClock(origin: clockOrigin)
    let mainToken = ThreadState.makeToken()
    trace?.begin(mainToken: mainToken)
    let reporter = MainThreadReporter(clock: clock, mainToken: mainToken, observer: observer, trace: trace)
    let timers = LiveTimers(clock: clock)
    let mainQueue = LiveMainQueue(reporter: reporter, timers: timers)
    self.clock = clock
    self.ledger = ledger
    self.mainLedger = mainLedger
    self.reporter = reporter
    self.timers = timers
    liveMainQueue = mainQueue
    mainThread = OwnThread { mainQueue.serve() }
  }

  deinit {
    // The threads are not joined, because the last reference may have been released in a block of the main queue.
    timers.end()
    liveMainQueue.end()
  }

  /// Ends the machine's threads and returns when they have ended.
  ///
  /// Blocks whose deadline has not come are dropped. The main queue runs until it is empty, including blocks that its
  /// blocks post; a block that is posted on it later is dropped, and a `sync` onto it traps. Private queues continue to
  /// run, but drop blocks that are posted with a deadline.
  ///
  /// The call blocks its thread. Any thread except the main thread may call it, more than once too.
  public func stop() {
    if liveMainQueue.isCurrent {
      trapMisuse("A machine stopped on its own main thread would wait for itself for ever.")
    }
    timers.end()?.join()
    liveMainQueue.end()
    mainThread.join()
  }
}

// MARK: - Queues and locks

extension LiveMachine {
  /// The queue of the user interface. Its blocks always run on the machine's own main thread.
  public var mainQueue: any SerialQueue { liveMainQueue }

  /// Makes a queue that runs posted blocks on Dispatch threads, one at a time, in the order in which they were posted.
  public func makeSerialQueue(label: String) -> any SerialQueue {
    LiveSerialQueue(label: label, reporter: reporter, timers: timers)
  }

  /// Makes a lock that waiting threads get in the order in which they began to wait.
  public func makeLock(label: String) -> any MachineLock {
    LiveLock(label: label, reporter: reporter)
  }
}

// MARK: - Time

extension LiveMachine {
  /// The time since the machine was created, by the system's monotonic clock.
  public var now: Instant { clock.now }

  /// The time of the system's monotonic clock at which this machine's clock reads zero. A machine of another process that
  /// is created with it has the same instants.
  package var clockOrigin: Int64 { clock.origin }

  /// Blocks the caller until the clock reads `deadline`, or returns at once if the deadline has passed.
  public func wait(until deadline: Instant) {
    guard clock.now < deadline else { return }
    _ = reporter.parked(ThreadState.current, for: .clock) { clock.sleep(until: deadline) }
  }
}

// MARK: - Work

extension LiveMachine {
  /// Adds work to the ledger, for the current role of the calling thread. Never blocks.
  public func account(_ work: Work) {
    let thread = ThreadState.current
    let role = thread.pointee.activities.role
    ledger.add(work, for: role)
    if let mainLedger, thread.pointee.token == reporter.mainToken { mainLedger.add(work, for: role) }
  }
}

// MARK: - Activities

extension LiveMachine: ActivityRecorder {
  /// The recorder of activities, which is the machine itself.
  public var recorder: any ActivityRecorder { self }

  /// Begins an activity of the calling thread and records it in the trace. The observer is called if the thread is the
  /// main thread.
  public func begin(_ activity: Activity, of objectCount: Int, in context: String?) {
    let thread = ThreadState.current
    thread.pointee.activities.begin(activity)
    reporter.record(.activityBegan(activity))
    if let observer = reporter.observer(of: thread) {
      observer.activityBegan(activity, of: objectCount, in: context, at: clock.now)
    } else if reporter.observer != nil {
      // Other threads publish their activities only if there is an observer that can ask for them.
      thread.publish()
    }
  }

  /// Ends the activity that the calling thread began last. The observer is called first if the thread is the main
  /// thread; then the trace records the end. Traps after both if `activity` is not the one that was begun last.
  public func end(_ activity: Activity) {
    let thread = ThreadState.current
    if let observer = reporter.observer(of: thread) {
      observer.activityEnded(activity, at: clock.now)
    }
    reporter.record(.activityEnded(activity))
    thread.pointee.activities.end(activity)
    if reporter.observer != nil, thread.pointee.token != reporter.mainToken { thread.publish() }
  }

  /// Reports to the observer that the innermost activity of the main thread concerns more objects. Has no effect on
  /// other threads.
  public func add(objectCount: Int) {
    reporter.observer(of: ThreadState.current)?.objectsNoted(objectCount)
  }

  /// Adds a note to the trace, if there is one.
  public func add(_ note: TraceNote) {
    reporter.record(.noted(note))
  }

  /// Records a step of a store's connection on the calling thread in the trace.
  package func note(_ step: ScheduleEvent.ConnectionStep, of connection: String) {
    reporter.record(.connection(connection, step))
  }

  /// Reports the statement without `unreported`, because work on a live machine has taken its time before it is
  /// reported.
  public func begin(_ statement: RunningStatement?, after unreported: () -> [Work]) {
    guard let observer = reporter.observer(of: ThreadState.current) else { return }
    observer.statementBegan(statement, at: clock.now)
  }
}
