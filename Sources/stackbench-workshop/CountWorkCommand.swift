import ArgumentParser
import Experiments
import Foundation
import MachineCore
import MachineLive
import Metrics
import OutputFiles
import Reporting
import TrialProcesses
import Validation

/// The hidden command `count-work`, which runs every calibration scenario so that a profiler can count its
/// instructions.
///
/// Each measured stretch runs through the symbol `runMeasuredStretch`. A second file lists the number of stretches of
/// each scenario and size in the order in which they ran, so that the profiler's figures can be matched with the work.
/// Each scenario first runs once to warm up; this run is in the second file only, with size 0.
struct CountWorkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count-work", abstract: "Runs each calibration scenario once and writes the work that it did.",
    shouldDisplay: false)

  @Option(
    help: ArgumentHelp("The file for the measurements, as CSV.", valueName: "file.csv"), transform: OptionValue.path)
  var output: String

  @Option(
    help: ArgumentHelp("The file for the list of stretches, as CSV.", valueName: "file.csv"),
    transform: OptionValue.path)
  var stretches: String

  func run() throws {
    let scratch = try ScratchFolder(in: URL(fileURLWithPath: output).deletingLastPathComponent().path)
    defer { scratch.remove() }
    let ledger = WorkLedger()
    let machine = LiveMachine(ledger: ledger)
    defer { machine.stop() }
    let bench = try CalibrationBench(
      machine: machine, ledger: ledger, instruments: .live, folder: try scratch.makeFolder("calibration"))
    var rows: [WorkMeasurement] = []
    var lines = "scenario,size,stretches_count\n"
    for scenario in CalibrationScenario.all {
      // The first run warms up and is listed as size 0.
      for (place, size) in ([scenario.sizes[0]] + scenario.sizes).enumerated() {
        let before = bench.stretchCount
        let measured = try bench.run(scenario, size: size)
        if place > 0 { rows.append(measured) }
        lines += "\(scenario.name),\(place == 0 ? 0 : size),\(bench.stretchCount - before)\n"
      }
    }
    try AtomicFile.write(Data(MeasurementTable(rows).text.utf8), to: output)
    try AtomicFile.write(Data(lines.utf8), to: stretches)
  }
}
