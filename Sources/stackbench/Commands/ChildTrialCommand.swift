import ArgumentParser
import Harness
import MachineCore
import MachineLive
import MachineSimulated
import Metrics
import Tracing

/// One trial, in a process of its own, so that it begins with a clean heap and a crash costs nothing but itself.
struct ChildTrialCommand: ChildCommand {
  static let configuration = CommandConfiguration(
    commandName: "child-trial", abstract: "Runs one trial; started by 'run'.", shouldDisplay: false)

  struct Plan: Codable, Sendable {
    var trial: TrialPlan
    /// nil = on the live machine.
    var simulation: Simulation?
    /// The core of this computer for a simulation's threads; nil = where it happens to begin.
    var hostCore: Int?
    /// Where the trial's part of the trace goes; nil = nowhere.
    var trace: Trace?
    /// The cores that a live trial's threads are bound to, or nil for wherever the system puts them.
    var binding: CoreBinding?

    struct CoreBinding: Codable, Sendable {
      var mainCore: Int
      /// The cores of all other threads; not empty.
      var otherCores: [Int]
    }

    struct Trace: Codable, Sendable {
      var path: String
      /// The number of this trial's process in the trace.
      var process: Int
    }
  }

  /// The room that the main queue's ledger has at the start: ticks of ten minutes at 60 a second.
  static let tickCapacity = 36_000

  @OptionGroup var files: PlanFiles

  func answer(_ plan: Plan) throws -> TrialRecord {
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: ChildTrialCommand.tickCapacity)
    do {
      let (record, complaints) =
        if let simulation = plan.simulation {
          try runSimulated(plan, simulation, work, mainQueue)
        } else {
          try runLive(plan, work, mainQueue)
        }
      if let first = complaints.first {
        StandardError.write(complaints.count == 1 ? first : "\(first) (and \(complaints.count - 1) more)")
      }
      return record
    } catch {
      throw FullDisk.failure(error, in: plan.trial.scratch) ?? ChildTrialCommand.failure(error)
    }
  }

  /// What is said of a trial that did not come to its end, a deadlock's report included: one line.
  static func failure(_ error: any Error) -> CommandFailure {
    .unexpected(error)
  }

  private func runSimulated(
    _ plan: Plan, _ simulation: Simulation, _ work: WorkLedger, _ mainQueue: MainQueueLedger
  ) throws -> (record: TrialRecord, complaints: [String]) {
    ProcessorTime.limit(to: plan.trial.options.timeLimit)
    let recorder = try recorder(plan)
    let outcome = try SimulatedTrial(plan.trial, simulation, hostCore: plan.hostCore, trace: recorder)
      .run(work, mainQueue)
    try recorder?.finish()
    return outcome
  }

  private func recorder(_ plan: Plan) throws -> TraceRecorder? {
    try plan.trace.map { trace in
      try TraceRecorder(path: trace.path, process: trace.process, name: plan.trial.topology.title)
    }
  }

  private func runLive(
    _ plan: Plan, _ work: WorkLedger, _ mainQueue: MainQueueLedger
  ) throws -> (record: TrialRecord, complaints: [String]) {
    if let recorder = try recorder(plan) {
      return try LiveTrial.run(plan.trial, work, mainQueue, tracedBy: recorder)
    }
    let liveMachine = LiveMachine(ledger: work, observer: mainQueue)
    if let binding = plan.binding {
      liveMachine.bindThreads(mainCore: binding.mainCore, otherCores: binding.otherCores)
    }
    #if SLOWED_ENGINE
      let machine = SlowedMachine(liveMachine)
    #else
      let machine = liveMachine
    #endif
    return try Trial(plan: plan.trial, machine: machine, work: work, mainQueue: mainQueue, instruments: .live()).run()
  }
}
