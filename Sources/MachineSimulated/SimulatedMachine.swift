import MachineCore

/// A machine that runs in virtual time: the same threads, blocks and waits as on a live machine, at the pace of a
/// device.
///
/// Strands are coroutines, each with a stack of its own. Exactly one strand has the baton and runs,
/// and it hands the baton to the strand with the earliest event. Code takes no time by itself; the work that it reports
/// costs what the device's cost model says. The same calls from the same seed give the same schedule, in any process.
///
/// Only the machine's strands may call it: all calls are made inside `run`.
package final class SimulatedMachine: Machine {
  private let scheduler: Scheduler
  private let simulatedMainQueue: SimulatedMainQueue

  /// Creates a machine that simulates a device.
  ///
  /// - Parameters:
  ///   - device: The device, with its cores and costs.
  ///   - options: The options of the run.
  ///   - ledger: The ledger to which reported work is added.
  ///   - mainLedger: The ledger to which the work of the main strand is added a second time.
  ///   - observer: The observer of the main strand, which is called on that strand.
  ///   - trace: The observer of all events. It slows the machine down and does not change the results.
  package init(
    _ device: SimulatedDevice, options: SimulatedMachineOptions = SimulatedMachineOptions(), ledger: WorkLedger,
    mainLedger: WorkLedger = WorkLedger(), observer: (any MainThreadObserver)? = nil,
    trace: (any ScheduleObserver)? = nil
  ) {
    scheduler = Scheduler(
      device: device, options: options, ledger: ledger, mainLedger: mainLedger, observer: observer, trace: trace)
    simulatedMainQueue = SimulatedMainQueue(scheduler: scheduler)
  }

  /// Runs `body` on a strand, and then everything that can still run; blocks with a later deadline are dropped.
  ///
  /// Blocks the calling thread, which must not be one of the machine's. A machine runs once.
  ///
  /// - Throws: The error of `body`, or `SimulationFailure` if strands wait for each other, a wake-up is lost, or a
  ///   limit is exceeded. The threads of parked strands then stay until the process ends.
  package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let outcome = Outcome<Result>()
    scheduler.run(mainTurn: simulatedMainQueue.turn) { outcome.value = Swift.Result(catching: body) }
    // An error of the body comes first, because after it the other strands may not come to an end.
    if case .failure(let error) = outcome.value { throw error }
    if let failure = scheduler.failure { throw failure }
    guard let value = outcome.value else { trapMisuse("A simulation ended before its body did.") }
    return try value.get()
  }

  // `@unchecked`: written by the driver's strand, read after it has ended.
  private final class Outcome<Value>: @unchecked Sendable {
    var value: Result<Value, any Error>?
  }
}

// MARK: - Queues and locks

extension SimulatedMachine {
  package var mainQueue: any SerialQueue { simulatedMainQueue }

  package func makeSerialQueue(label: String) -> any SerialQueue {
    SimulatedSerialQueue(label: label, scheduler: scheduler)
  }

  package func makeLock(label: String) -> any MachineLock {
    SimulatedLock(label: label, scheduler: scheduler)
  }
}

// MARK: - Time

extension SimulatedMachine {
  package var now: Instant { Instant(nanoseconds: scheduler.now()) }

  package func wait(until deadline: Instant) {
    scheduler.wait(until: deadline.nanoseconds)
  }
}

// MARK: - Threads

extension SimulatedMachine {
  package var callingThread: UInt { UInt(scheduler.caller.number) }
}

// MARK: - Work

extension SimulatedMachine {
  package func account(_ work: Work) {
    scheduler.account(work)
  }

  /// Uses CPU time on the calling strand for work that has no kind.
  package func spend(_ span: TimeSpan) {
    scheduler.spend(span)
  }
}

// MARK: - Activities

extension SimulatedMachine: ActivityRecorder {
  package var recorder: any ActivityRecorder { self }

  package func begin(_ activity: Activity, of objectCount: Int, in context: String?) {
    scheduler.begin(activity, of: objectCount, in: context)
  }

  package func end(_ activity: Activity) {
    scheduler.end(activity)
  }

  package func add(objectCount: Int) {
    scheduler.add(objectCount: objectCount)
  }

  package func add(_ note: TraceNote) {
    scheduler.record(.noted(note), strand: scheduler.caller)
  }

  package func begin(_ statement: RunningStatement?, after unreported: () -> [Work]) {
    scheduler.begin(statement, after: unreported)
  }
}

// MARK: - Notes for the trace

extension SimulatedMachine {
  /// Passes a step of a store's connection on the calling strand to the trace; takes no virtual time.
  package func note(_ step: ScheduleEvent.ConnectionStep, of connection: String) {
    scheduler.record(.connection(connection, step), strand: scheduler.caller)
  }
}

// MARK: - Results

extension SimulatedMachine {
  /// The CPU time that all strands have used so far. Read it on a strand, or after `run`.
  package var totalCPU: TimeSpan { TimeSpan(nanoseconds: scheduler.totalCPU) }

  /// The CPU time that the main strand has used so far. Read it on a strand, or after `run`.
  package var mainCPU: TimeSpan { TimeSpan(nanoseconds: scheduler.cpu(of: scheduler.main)) }

  /// Sixteen hexadecimal digits that identify the whole schedule and all reported work, in order. Read them after
  /// `run`.
  package var fingerprint: String { scheduler.fingerprint.text }

  /// Returns the fingerprint with further bytes of the run folded in, such as those of a store. Call it after `run`.
  package func fingerprint(including bytes: UnsafeRawBufferPointer) -> String {
    var fingerprint = scheduler.fingerprint
    fingerprint.fold(bytes)
    return fingerprint.text
  }

  /// The virtual time that the clock reads. Read it after `run`.
  package var virtualTime: TimeSpan { TimeSpan(nanoseconds: scheduler.clock) }

  /// The number of times that one strand handed the baton to another, which determines the cost of a simulation. Read
  /// it after `run`.
  package var handOffCount: Int { scheduler.handOffCount }

  /// The number of events that the scheduler has handled. Read it after `run`.
  package var eventCount: Int { scheduler.eventCount }
}
