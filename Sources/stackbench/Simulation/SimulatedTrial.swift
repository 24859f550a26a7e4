import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics

/// A trial in virtual time.
struct SimulatedTrial {
  private let plan: TrialPlan
  private let simulation: Simulation
  private let hostCore: Int?
  private let trace: (any TrialTrace)?

  /// - Parameter trace: hears everything, and changes no figure.
  init(
    _ plan: TrialPlan, _ simulation: Simulation, hostCore: Int? = nil, trace: (any TrialTrace)? = nil
  ) {
    self.plan = plan
    self.simulation = simulation
    self.hostCore = hostCore
    self.trace = trace
  }

  /// Runs it to its end; once for each ledger. Blocks.
  ///
  /// - Throws: what the trial throws; `SimulationFailure`.
  func run(
    _ work: WorkLedger, _ mainQueue: MainQueueLedger
  ) throws -> (record: TrialRecord, complaints: [String]) {
    let began = ContinuousClock.now
    let machine = SimulatedMachine(
      simulation.device, options: SimulatedMachineOptions(scheduleSeed: simulation.scheduleSeed, hostCore: hostCore),
      ledger: work, observer: mainQueue, trace: trace)
    var instruments = TrialInstruments.simulated(on: machine, simulation, isTraced: trace != nil)
    if let trace { instruments.didMeasure = { trace.didMeasure($0, $1, $2) } }
    let trial = Trial(
      plan: plan, machine: machine, work: work, mainQueue: mainQueue, instruments: instruments)
    var (record, complaints) = try machine.run { () throws -> (record: TrialRecord, complaints: [String]) in
      try trial.run()
    }
    record.simulation = SimulationFigures(
      fingerprint: machine.fingerprint, draw: simulation.draw, handOffsCount: machine.handOffCount,
      eventsCount: machine.eventCount, virtualNanoseconds: machine.virtualTime.nanoseconds,
      wallNanoseconds: Int64((ContinuousClock.now - began) / .nanoseconds(1)))
    return (record, complaints)
  }
}

/// Hears all that happens in a trial: the machine's schedule, and at the end of the window what was measured.
protocol TrialTrace: ScheduleObserver {
  func didMeasure(_ ledgers: TrialLedgers, _ frames: FrameTimeline, _ window: Window)
}
