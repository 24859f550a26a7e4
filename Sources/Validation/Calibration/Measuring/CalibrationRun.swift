import Experiments
import Foundation
import Harness
import InputFiles
import MachineCore
import MachineLive
import MachineSimulated
import Reporting
import TrialProcesses

/// Measures what each kind of the engine's work costs on this computer.
package struct CalibrationRun: Sendable {
  /// The time to measure for, in seconds.
  let seconds: Int
  let progress: any ProgressDisplay

  package init(seconds: Int, progress: any ProgressDisplay) {
    self.seconds = seconds
    self.progress = progress
  }

  /// Runs rounds of all scenarios on the live machine until the time is over.
  ///
  /// The method blocks the calling thread, and disturbs anything else that is measured on this computer.
  ///
  /// - Parameters:
  ///   - host: The profile whose hardware is used, with the number of cores of this computer.
  ///   - scratch: The folder for the stores.
  /// - Returns: The measurements, and facts about this computer.
  /// - Throws: The error of a scenario, of the store or of the file system.
  package func data(host: ProfileDeclaration, in scratch: ScratchFolder) throws -> CalibrationData {
    let ledger = WorkLedger()
    let blocks = MainBlockTime()
    let machine = LiveMachine(ledger: ledger, observer: blocks)
    defer { machine.stop() }
    // Threads are bound to cores as in a validation, so that the main thread and the others run on different cores.
    let cores = AllowedCores.current
    if cores.count > 1 {
      machine.bindThreads(mainCore: cores[cores.count - 1], otherCores: Array(cores.dropLast()))
    }
    let bench = try CalibrationBench(
      machine: machine, ledger: ledger, instruments: .live, folder: try scratch.makeFolder("calibration"))
    let calibration = Calibration(bench)
    defer { progress.clear() }
    let meter = try HandOverMeter(bench)
    let start = ContinuousClock.now
    func show(_ rounds: Int) {
      let left = max(0, Int64(seconds) - (ContinuousClock.now - start).components.seconds)
      progress.show("\(rounds) round\(rounds == 1 ? "" : "s") of all scenarios\(TimeLeft.text(seconds: left))")
    }
    show(0)
    let outcome = try calibration.run(
      .init(time: .seconds(Int64(seconds)), minimumRounds: 1, maximumRounds: 1_000)
    ) { rounds in
      for _ in 0..<4 { meter.measure { blocks.total } }
      show(rounds)
    }
    let handOver = meter.handOver
    var disturbance = outcome.disturbance
    disturbance.wakings = meter.wakings
    let facts = HostFacts.current
    func microseconds(_ span: TimeSpan) -> String { FigureText.short(Double(span.nanoseconds) / 1_000) }
    var note = """


      Waking another thread: \(microseconds(handOver.latency)) µs until it runs, \(microseconds(handOver.cpu)) µs of CPU,
        then \(microseconds(handOver.coldStart)) µs more for a block that fires a fault.
      \(disturbance.roundCount) rounds.
      """
    if let yardstick = outcome.yardstick { note += " Yardstick: \(microseconds(yardstick)) µs." }
    return CalibrationData(
      rows: outcome.measurements, title: "This engine on \(facts.cores) cores, \(facts.processor)",
      origin: "\(facts.processor), SQLite \(facts.sqlite)", hardware: hardware(host, facts: facts), handOver: handOver,
      yardstick: outcome.yardstick, disturbance: disturbance, note: note)
  }

  private func hardware(_ host: ProfileDeclaration, facts: HostFacts) -> Hardware {
    var hardware = host.hardware
    hardware.cores = facts.cores
    hardware.source = "the machine itself; Linux favours no thread, slices of 3 ms (assumption)"
    return hardware
  }
}
