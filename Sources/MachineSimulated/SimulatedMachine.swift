import MachineCore

/// The machine of virtual time: the same threads, blocks and waits as on a live one, at the pace of a device.
///
/// Each blocked caller keeps its own stack, so strands are threads; exactly one of them has the baton and runs, and it
/// hands the baton to whoever has the earliest event. Code takes no time by itself: what it reports costs what the
/// device's cost model says. The same calls from the same seed give the same schedule, in any process.
///
/// Only its own strands may call it: everything happens inside `run`.
package final class SimulatedMachine: Machine {
  private let scheduler: Scheduler
  private let simulatedMainQueue: SimulatedMainQueue

  /// - Parameters:
  ///   - ledger: Where reported work is added up.
  ///   - mainLedger: Where the work of the main strand is added up a second time, by itself.
  ///   - observer: Hears what the main strand does, on it.
  ///   - trace: Hears everything; slows the machine down, and changes nothing.
  package init(
    _ device: SimulatedDevice, options: SimulatedMachineOptions = SimulatedMachineOptions(), ledger: WorkLedger,
    mainLedger: WorkLedger = WorkLedger(), observer: (any MainThreadObserver)? = nil,
    trace: (any ScheduleObserver)? = nil
  ) {
    scheduler = Scheduler(
      device: device, options: options, ledger: ledger, mainLedger: mainLedger, observer: observer, trace: trace)
    simulatedMainQueue = SimulatedMainQueue(scheduler: scheduler)
  }

  /// Runs `body` on a strand, and then whatever still can run; blocks with a later deadline are dropped.
  ///
  /// Blocks the calling thread, which is none of the machine's. Once a machine.
  ///
  /// - Throws: what `body` throws; `SimulationFailure` where the strands wait for each other, for nobody, or beyond a
  ///   limit: their threads then stay, parked, until the process ends.
  package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let outcome = Outcome<Result>()
    scheduler.run(mainTurn: simulatedMainQueue.turn) { outcome.value = Swift.Result(catching: body) }
    // What the body ended with comes first: of a body that has failed the rest may not come to an end.
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

// MARK: - Work

extension SimulatedMachine {
  package func account(_ work: Work) {
    scheduler.account(work)
  }

  package func begin(_ activity: Activity, of objectCount: Int, in context: String?) {
    scheduler.begin(activity, of: objectCount, in: context)
  }

  package func end(_ activity: Activity) {
    scheduler.end(activity)
  }

  package func note(objectCount: Int) {
    scheduler.note(objectCount: objectCount)
  }

  package func note(_ note: TraceNote) {
    scheduler.hear(.noted(note), scheduler.caller)
  }

  package func note(statement: UnsafePointer<CChar>?, after unreported: () -> [Work]) {
    scheduler.note(statement: statement, after: unreported)
  }

  /// Uses so much CPU time on the calling strand, for what no kind of work stands for.
  package func spend(_ span: Span) {
    scheduler.spend(span)
  }
}

// MARK: - What a simulation is told

extension SimulatedMachine {
  /// Passes on to the trace what a store's connection does on the calling strand; takes no virtual time.
  package func note(_ step: ScheduleEvent.ConnectionStep, of connection: String) {
    scheduler.hear(.connection(connection, step), scheduler.caller)
  }
}

// MARK: - What a simulation tells

extension SimulatedMachine {
  /// The CPU time that all strands have used so far; from a strand, or after `run`.
  package var totalCPU: Span { Span(nanoseconds: scheduler.totalCPU) }

  /// The CPU time that the main strand has used so far; from a strand, or after `run`.
  package var mainCPU: Span { Span(nanoseconds: scheduler.cpu(of: scheduler.main)) }

  /// Sixteen hexadecimal digits that stand for the whole schedule and all reported work, in order; after `run`.
  package var fingerprint: String { scheduler.fingerprint.text }

  /// The same with what the run left behind folded in, such as the bytes of a store; after `run`.
  package func fingerprint(including bytes: UnsafeRawBufferPointer) -> String {
    var fingerprint = scheduler.fingerprint
    fingerprint.fold(bytes)
    return fingerprint.text
  }

  /// What the clock reads; after `run`.
  package var virtualTime: Span { Span(nanoseconds: scheduler.clock) }

  /// How often one strand handed the baton to another: what a simulation costs; after `run`.
  package var handOffCount: Int { scheduler.handOffCount }

  /// How many events the scheduler has handled; after `run`.
  package var eventCount: Int { scheduler.eventCount }

  /// Loses the next turn that one strand hands to another: a fault for tests of the report.
  package func loseNextTurn() {
    scheduler.losesNextTurn = true
  }
}
