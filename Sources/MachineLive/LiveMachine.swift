import MachineCore

/// The machine of real threads and real time.
///
/// Its main queue has a thread of its own; private queues run on Dispatch threads; time is the system's monotonic clock
/// since the machine was made. Any thread may call it. A thread that no block has given a role works for the import.
///
/// `stop()` ends its threads. A machine that is freed without it lets them end by themselves. Either way its queues run
/// only as long as somebody keeps the machine.
public final class LiveMachine: Machine {
  private let clock: LiveClock
  private let ledger: WorkLedger
  private let reporter: MainThreadReporter
  private let timers: LiveTimers
  private let liveMainQueue: LiveMainQueue
  private let mainThread: OwnThread

  /// Makes a machine and starts its main thread.
  ///
  /// - Parameters:
  ///   - ledger: Where reported work is added up.
  ///   - observer: Hears what the main thread does, on that thread; nil spares it the clock reads.
  public convenience init(ledger: WorkLedger, observer: (any MainThreadObserver)? = nil) {
    self.init(ledger: ledger, observer: observer, trace: nil)
  }

  /// The same with a trace that keeps what every thread does; nil = none.
  package init(ledger: WorkLedger, observer: (any MainThreadObserver)? = nil, trace: LiveTrace?) {
    let clock = LiveClock()
    let mainToken = ThreadState.makeToken()
    trace?.begin(mainToken: mainToken)
    let reporter = MainThreadReporter(clock: clock, mainToken: mainToken, observer: observer, trace: trace)
    let timers = LiveTimers(clock: clock)
    let mainQueue = LiveMainQueue(reporter: reporter, timers: timers)
    self.clock = clock
    self.ledger = ledger
    self.reporter = reporter
    self.timers = timers
    liveMainQueue = mainQueue
    mainThread = OwnThread { mainQueue.serve() }
  }

  deinit {
    // Not joined: the last reference may have died in a block of the main queue.
    timers.end()
    liveMainQueue.end()
  }

  /// Ends the machine's threads and returns when they have ended.
  ///
  /// Blocks whose deadline has not come are dropped. The main queue runs until it is empty, blocks that its blocks post
  /// included; what is posted on it later is dropped, and a `sync` onto it traps. Private queues go on by themselves.
  /// Blocks the caller. Any thread but the main thread may call it, more than once too.
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
  public var mainQueue: any SerialQueue { liveMainQueue }

  public func makeSerialQueue(label: String) -> any SerialQueue {
    LiveSerialQueue(label: label, reporter: reporter, timers: timers)
  }

  public func makeLock(label: String) -> any MachineLock {
    LiveLock(label: label, reporter: reporter)
  }
}

// MARK: - Time

extension LiveMachine {
  public var now: Instant { clock.now }

  public func wait(until deadline: Instant) {
    guard clock.now < deadline else { return }
    _ = reporter.parked(ThreadState.current, for: .clock) { clock.sleep(until: deadline) }
  }
}

// MARK: - Work

extension LiveMachine {
  public func account(_ work: Work) {
    ledger.add(work, for: ThreadState.current.pointee.activities.role)
  }

  public func begin(_ activity: Activity, of objectCount: Int, in context: String?) {
    let thread = ThreadState.current
    thread.pointee.activities.begin(activity)
    reporter.record(.activityBegan(activity))
    if let observer = reporter.observer(of: thread) {
      observer.activityBegan(activity, of: objectCount, in: context, at: clock.now)
    } else if reporter.observer != nil {
      // Else nobody asks what other threads do.
      thread.publish()
    }
  }

  public func end(_ activity: Activity) {
    let thread = ThreadState.current
    if let observer = reporter.observer(of: thread) {
      observer.activityEnded(activity, at: clock.now)
    }
    reporter.record(.activityEnded(activity))
    thread.pointee.activities.end(activity)
    if reporter.observer != nil, thread.pointee.token != reporter.mainToken { thread.publish() }
  }

  public func note(objectCount: Int) {
    reporter.observer(of: ThreadState.current)?.objectsNoted(objectCount)
  }

  public func note(_ note: TraceNote) {
    reporter.record(.noted(note))
  }

  /// Keeps what a store's connection does on the calling thread in the trace.
  package func note(_ step: ScheduleEvent.ConnectionStep, of connection: String) {
    reporter.record(.connection(connection, step))
  }

  /// What is not reported yet has taken its time already.
  public func note(statement: UnsafePointer<CChar>?, after unreported: () -> [Work]) {
    guard let observer = reporter.observer(of: ThreadState.current) else { return }
    observer.statementBegan(statement, at: clock.now)
  }
}
