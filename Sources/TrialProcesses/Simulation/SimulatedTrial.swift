import ContextEngine
import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics

/// A trial that runs in virtual time.
package struct SimulatedTrial {
  private let plan: TrialPlan
  private let simulation: Simulation
  private let bindsMain: Bool
  private let hostCore: Int?
  private let trace: (any TrialTrace)?
  private let didMakeContext: @Sendable (ManagedObjectContext) -> Void
  private let timeLimit: TimeSpan
  private let explorer: ScheduleExplorer?
  private let eventLimit: Int

  /// Creates a trial.
  ///
  /// - Parameters:
  ///   - plan: The plan of the trial. Its arrival phase is replaced by the one of the simulation.
  ///   - simulation: The device, the seeds and the schedule that the trial simulates.
  ///   - bindsMain: Indicates whether main has a core of the device for itself, as in live trials with bound threads.
  ///   - hostCore: The core of this computer for the simulation's threads, or nil for the core on which the process
  ///     begins.
  ///   - trace: An observer of the whole trial, which does not change the figures.
  ///   - timeLimit: The virtual time after which the trial counts as one that does not end.
  ///   - explorer: The explorer that chooses the order of the threads, or nil for the schedule of the device.
  ///   - eventLimit: The number of events after which the trial counts as one that does not end.
  ///   - didMakeContext: Receives every context of the trial; see `TrialInstruments`.
  package init(
    _ plan: TrialPlan, _ simulation: Simulation, bindsMain: Bool = false, hostCore: Int? = nil,
    trace: (any TrialTrace)? = nil, timeLimit: TimeSpan = SimulatedMachineOptions().timeLimit,
    explorer: ScheduleExplorer? = nil, eventLimit: Int = .max,
    didMakeContext: @escaping @Sendable (ManagedObjectContext) -> Void = { _ in }
  ) {
    var plan = plan
    plan.options.arrivalPhase = simulation.arrivalPhase
    self.plan = plan
    self.simulation = simulation
    self.bindsMain = bindsMain
    self.hostCore = hostCore
    self.trace = trace
    self.didMakeContext = didMakeContext
    self.timeLimit = timeLimit
    self.explorer = explorer
    self.eventLimit = eventLimit
  }

  /// Runs the trial to its end and returns its record. Blocks. Use new ledgers for each run.
  ///
  /// - Throws: The error of the trial, or `SimulationFailure`.
  package func run(
    _ work: WorkLedger, _ mainQueue: MainQueueLedger
  ) throws -> (record: TrialRecord, complaints: [String]) {
    let began = ContinuousClock.now
    let machine = machine(work: work, mainQueue: mainQueue)
    let trial = trial(on: machine, work: work, mainQueue: mainQueue)
    var (record, complaints) = try machine.run { () throws -> (record: TrialRecord, complaints: [String]) in
      try trial.run()
    }
    record.simulation = SimulationFigures(
      fingerprint: try fingerprint(of: machine), draw: simulation.draw, handOffsCount: machine.handOffCount,
      eventsCount: machine.eventCount, virtualNanoseconds: machine.virtualTime.nanoseconds,
      wallNanoseconds: Int64((ContinuousClock.now - began) / .nanoseconds(1)))
    return (record, complaints)
  }

  /// Runs the trial until its app dies. Blocks.
  ///
  /// - Throws: The error of the trial, or `SimulationFailure`.
  package func runUntilKilled(work: WorkLedger, mainQueue: MainQueueLedger) throws {
    let machine = machine(work: work, mainQueue: mainQueue)
    let trial = trial(on: machine, work: work, mainQueue: mainQueue, leavesFiles: true)
    try machine.run { () throws -> Void in try trial.runUntilKilled() }
  }

  private func machine(work: WorkLedger, mainQueue: MainQueueLedger) -> SimulatedMachine {
    SimulatedMachine(
      simulation.device,
      options: SimulatedMachineOptions(
        scheduleSeed: simulation.scheduleSeed, timeLimit: timeLimit, eventLimit: eventLimit, bindsMain: bindsMain,
        hostCore: hostCore, explorer: explorer),
      ledger: work, observer: mainQueue, trace: trace)
  }

  private func trial(
    on machine: SimulatedMachine, work: WorkLedger, mainQueue: MainQueueLedger, leavesFiles: Bool = false
  ) -> Trial {
    var instruments = TrialInstruments.simulated(
      on: machine, simulation, isTraced: trace != nil, leavesFiles: leavesFiles)
    instruments.didMakeContext = didMakeContext
    instruments.virtualTimeLimit = timeLimit
    if let trace {
      instruments.didMeasure = { trace.didMeasure($0, $1, $2) }
      instruments.heap = ObservedHeapMeter(meter: instruments.heap, didWatch: { trace.watch($0) })
    }
    return Trial(plan: plan, machine: machine, work: work, mainQueue: mainQueue, instruments: instruments)
  }

  /// Returns the fingerprint of the schedule, the work and the closed store. The store is included because the schedule
  /// and the work do not show the order in which rows were written.
  private func fingerprint(of machine: SimulatedMachine) throws -> String {
    let file = URL(fileURLWithPath: plan.scratch).appendingPathComponent(Trial.storeFileName)
    let store = try Data(contentsOf: file)
    return store.withUnsafeBytes(machine.fingerprint(including:))
  }
}

/// A heap meter that reports the memory footprint of the stack before it passes it on to another meter.
private struct ObservedHeapMeter: HeapMeter {
  let meter: any HeapMeter
  let didWatch: @Sendable (MemoryFootprint) -> Void

  func watch(_ footprint: MemoryFootprint) {
    didWatch(footprint)
    meter.watch(footprint)
  }

  func openWindow() { meter.openWindow() }
  func sample() { meter.sample() }
  func closeWindow() -> HeapFigures? { meter.closeWindow() }
}
