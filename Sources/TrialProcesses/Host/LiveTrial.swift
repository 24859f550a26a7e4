import Harness
import MachineCore
import MachineLive
import Metrics

/// Runs a trial on real threads with a trace.
enum LiveTrial {
  /// Runs the trial to its end, then writes the trace of every thread. Blocks. Use new ledgers for each run.
  ///
  /// The records of the trace stay in memory during the trial, about 80 bytes for each step, so that no file is written
  /// while the trial is measured. `heap_peak_bytes` and `allocated_bytes` include them.
  ///
  /// - Throws: The error of the trial, or `FileError` if the trace cannot be written.
  static func run(
    _ plan: TrialPlan, work: WorkLedger, mainQueue: MainQueueLedger, tracedBy recorder: TraceRecorder
  ) throws -> (record: TrialRecord, complaints: [String]) {
    let trace = LiveTrace()
    let machine = LiveMachine(ledger: work, observer: mainQueue, trace: trace)
    var instruments = TrialInstruments.live(traced: machine)
    instruments.didMeasure = { recorder.didMeasure($0, $1, $2) }
    instruments.startImportProcess = TrialTask.importProcess(of: machine)
    let outcome = try Trial(
      plan: plan, machine: machine, work: work, mainQueue: mainQueue, instruments: instruments
    ).run()
    machine.stop()
    trace.replay(to: recorder)
    try recorder.finish()
    return outcome
  }
}
