import Harness
import MachineCore
import MachineLive
import MachineSimulated
import Metrics

/// Runs one trial. A live trial has a process of its own, which gives it a clean heap.
package enum TrialTask: ChildTask {
  package static let name = "child-trial"

  package struct Plan: Codable, Sendable {
    package var trial: TrialPlan
    /// The simulation that runs the trial, or nil for the live machine.
    package var simulation: Simulation?
    /// The core of this computer for a simulation's threads, or nil for the core on which the process begins.
    package var hostCore: Int?
    /// The file of the trial's part of the trace, or nil for no trace.
    package var trace: Trace?
    /// The cores to which the threads of a live trial are bound, or nil to leave the choice to the system. A simulated
    /// trial with a binding gives main a core of the device for itself.
    package var binding: CoreBinding?

    package init(
      trial: TrialPlan, simulation: Simulation? = nil, hostCore: Int? = nil, trace: Trace? = nil,
      binding: CoreBinding? = nil
    ) {
      self.trial = trial
      self.simulation = simulation
      self.hostCore = hostCore
      self.trace = trace
      self.binding = binding
    }

    package struct CoreBinding: Codable, Sendable {
      package var mainCore: Int
      /// The cores of all other threads, at least one.
      package var otherCores: [Int]

      package init(mainCore: Int, otherCores: [Int]) {
        self.mainCore = mainCore
        self.otherCores = otherCores
      }
    }

    package struct Trace: Codable, Sendable {
      package var path: String
      /// The number of this trial's process in the trace.
      package var process: Int

      package init(path: String, process: Int) {
        self.path = path
        self.process = process
      }
    }
  }

  /// The initial capacity of the main queue's ledger in ticks. On a live machine it is enough for ten minutes at 60 ticks
  /// per second, so that the ledger does not grow while a trial is measured.
  static func tickCapacity(_ plan: Plan) -> Int { plan.simulation == nil ? 36_000 : 1_000 }

  package struct Answer: Codable, Sendable {
    package var record: TrialRecord
    /// The things that are wrong with the data, of which the first few are kept.
    package var problems: [String]
  }

  package static func sharedFolder(_ plan: Plan) -> String? {
    plan.simulation.map { _ in plan.trial.scratch }
  }

  package static func answer(_ plan: Plan) throws -> Answer {
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: tickCapacity(plan))
    do {
      let (record, complaints) =
        if let simulation = plan.simulation {
          try runSimulated(plan, simulation: simulation, work: work, mainQueue: mainQueue)
        } else {
          try runLive(plan, work: work, mainQueue: mainQueue)
        }
      return Answer(record: record, problems: complaints)
    } catch {
      if let failure = TrialTask.failure(error, of: plan.trial.options.fileFault) { throw failure }
      throw FullDisk.failure(error, in: plan.trial.scratch) ?? TrialTask.failure(error)
    }
  }

  /// Returns the failure of a trial that ended with an error, such as a deadlock with its report, in one line.
  static func failure(_ error: any Error) -> RunFailure {
    .unexpected(error)
  }

  /// Returns the failure of a trial with a fault of its files, or nil if the trial has no fault.
  ///
  /// An error of the fault does not show that the disk is full.
  static func failure(_ error: any Error, of fault: FileFault?) -> RunFailure? {
    fault.map { _ in error is UnmetFault ? .usage("\(error)") : .failed("\(error)") }
  }

  private static func runSimulated(
    _ plan: Plan, simulation: Simulation, work: WorkLedger, mainQueue: MainQueueLedger
  ) throws -> (record: TrialRecord, complaints: [String]) {
    ProcessorTime.limit(to: plan.trial.options.timeLimit)
    Heap.keepFreedMemory()
    let recorder = try recorder(plan)
    var outcome = try SimulatedTrial(
      plan.trial, simulation, bindsMain: plan.binding != nil, hostCore: plan.hostCore, trace: recorder
    ).run(work, mainQueue)
    try recorder?.finish()
    // Results include single frames and stalls of the device with the profile's own values only.
    if simulation.draw != nil { (outcome.record.frames, outcome.record.stalls) = ([], []) }
    return outcome
  }

  private static func recorder(_ plan: Plan) throws -> TraceRecorder? {
    try plan.trace.map { trace in
      try TraceRecorder(path: trace.path, process: trace.process, name: plan.trial.topology.title)
    }
  }

  /// Runs a trial on real threads.
  ///
  /// The records of a trace stay in memory during the trial, about 80 bytes for each step, so that no file is written
  /// while the trial is measured. `heap_peak_bytes` and `allocated_bytes` include them.
  private static func runLive(
    _ plan: Plan, work: WorkLedger, mainQueue: MainQueueLedger
  ) throws -> (record: TrialRecord, complaints: [String]) {
    let traced = try recorder(plan).map { (recorder: $0, trace: LiveTrace()) }
    let machine = LiveMachine(ledger: work, observer: mainQueue, trace: traced?.trace)
    if let binding = plan.binding {
      machine.bindThreads(mainCore: binding.mainCore, otherCores: binding.otherCores)
    }
    var instruments = TrialInstruments.live(traced: traced == nil ? nil : machine)
    if let recorder = traced?.recorder { instruments.didMeasure = { recorder.didMeasure($0, $1, $2) } }
    instruments.startImportProcess = importProcess(of: machine, on: plan.binding?.otherCores)
    let outcome = try Trial(
      plan: plan.trial, machine: measured(machine), work: work, mainQueue: mainQueue, instruments: instruments
    ).run()
    // A timer that has not fired would keep the stack and its store after the trial. The machine of a trial that fails is
    // not stopped, because the call does not return if the main thread is deadlocked.
    machine.stop()
    if let traced {
      traced.trace.replay(to: traced.recorder)
      try traced.recorder.finish()
    }
    return outcome
  }

  /// Returns the function that starts the process of an import.
  ///
  /// - Parameters:
  ///   - machine: The machine of the trial, whose instants the process shares.
  ///   - cores: The cores to which the threads of the process are bound, or nil to leave the choice to the system.
  /// - Returns: A function for `TrialInstruments.startImportProcess`.
  static func importProcess(
    of machine: LiveMachine, on cores: [Int]? = nil
  ) -> @Sendable (TrialPlan, @escaping @Sendable (ImportReport) -> Void) throws -> any ImportProcess {
    let clockOrigin = machine.clockOrigin
    return { plan, receive in
      try ImportingProcess(ImportTask.Plan(trial: plan, clockOrigin: clockOrigin, cores: cores), receive: receive)
    }
  }

  /// Returns the machine that the measured code uses, which some builds slow down.
  static func measured(_ machine: LiveMachine) -> any Machine {
    #if SLOWED_ENGINE
      SlowedMachine(machine)
    #else
      machine
    #endif
  }
}

extension [String] {
  /// The first sentence and the number of others, or nil if there is no sentence.
  package var summary: String? {
    first.map { count == 1 ? $0 : "\($0) (and \(count - 1) more)" }
  }
}
