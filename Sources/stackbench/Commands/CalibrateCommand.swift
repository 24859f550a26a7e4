import ArgumentParser
import Foundation
import Harness
import MachineCore
import MachineLive
import MachineSimulated
import Metrics
import Reporting

/// `stackbench calibrate`: what the engine's work costs, as a profile.
struct CalibrateCommand: ParsableCommand {
  private static let standardOutput = "Results/host.yaml"
  private static let standardSeconds = 30

  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measures what each kind of work costs on this computer and writes it as a profile.",
    discussion: """
      Runs small parts of the engine's work on the live machine, with real files, at several sizes; fits the cost of \
      each kind of work to what they took; and says how far off that is on sizes that were kept out of the fit. Takes \
      less than a minute on a computer that does nothing else.

      --from FILE.csv fits what was measured elsewhere, on a phone say. Its header is scenario,size,cpu_ns, then \
      storage_ns if syncs were measured, then kinds of work as 'stackbench profiles host' lists them, such as rowWritten, \
      and rowWritten_bytes where a kind has bytes. A line is one scenario at one size: the CPU time it took, the time it \
      waited for storage, and how much of each kind of work it did; an empty field is 0. The last but one size of a \
      scenario is kept out of the fit. A kind that no line counts costs what the reference says, times the median ratio \
      of the others. --measurements FILE.csv writes this computer's in the same form.

      Status: 0 success; 64 bad usage, damaged input, or a file that cannot be written.
      """)

  @Option(
    help: ArgumentHelp("The profile that is written. (default: \(standardOutput))", valueName: "file.yaml"),
    transform: OptionValue.path)
  var output = standardOutput

  @Option(
    help: ArgumentHelp("Fit these measurements instead of measuring.", valueName: "file.csv"),
    transform: OptionValue.path)
  var from: String?

  @Option(
    help: ArgumentHelp("Write what was measured, too.", valueName: "file.csv"), transform: OptionValue.path)
  var measurements: String?

  @Option(help: ArgumentHelp("What the profile is called. (default: host)", valueName: "name"))
  var name = "host"

  @Option(help: ArgumentHelp("What it stands for. (default: the processor and its cores)", valueName: "text"))
  var title: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to measure; more agrees better from run to run. (default: \(standardSeconds))", valueName: "s"),
    transform: OptionValue.integer(in: 1...3_600))
  var seconds = standardSeconds

  @Flag(help: "Print no table and no progress.")
  var quiet = false

  func run() throws {
    let host = try hostDeclaration()
    let measured = try from.map(fitted(from:)) ?? measure(host)
    let text = ProfileWriter(measured.profile.declaration(host: host, reference: try reference())).text
    // What is written must be readable: a constant that no device has is refused here and not by the first who uses it.
    do throws(ProfileError) {
      _ = try ProfileLibrary.resolved(
        try ProfileReader(place: output).declaration(from: text), place: output)
    } catch {
      throw CommandFailure.usage(error.description)
    }
    try write(text, measured.rows)
    if !quiet { print(measured.report) }
  }

  private struct Measured {
    var profile: CalibratedProfile
    var rows: [WorkMeasurement]
    var report: String
  }

  private func hostDeclaration() throws(CommandFailure) -> ProfileDeclaration {
    do throws(ProfileError) {
      return try ProfileLibrary.declaration(named: "host")
    } catch {
      throw .usage(error.description)
    }
  }

  private func reference() throws(CommandFailure) -> CostReference {
    do throws(ProfileError) {
      return try ProfileLibrary.reference()
    } catch {
      throw .usage(error.description)
    }
  }

  private func write(_ profile: String, _ rows: [WorkMeasurement]) throws {
    do throws(ReportingError) {
      var files: [AtomicFile] = []
      for (path, text) in [(output, profile)] + (measurements.map { [($0, MeasurementTable(rows).text)] } ?? []) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        files.append(try AtomicFile(staging: Data(text.utf8), for: path))
      }
      for file in files { try file.commit() }
    } catch {
      throw CommandFailure.usage("\(error)")
    }
  }
}

// MARK: - Measurements

extension CalibrateCommand {
  /// Of a device that is not this one, only its work is known: the rest is as on `host`.
  private func fitted(from path: String) throws -> Measured {
    let rows = try MeasurementTable(path: path).measurements
    let fit = ProfileFit(rows)
    let file = URL(fileURLWithPath: path).lastPathComponent
    var hardware = try hostDeclaration().hardware
    hardware.source = "assumption: as host; \(file) does not tell"
    return Measured(
      profile: CalibratedProfile(
        name: name, title: title ?? "Measurements in \(file)", origin: file, hardware: hardware, fit: fit),
      rows: rows, report: CalibrationReport(fit: fit, whole: rows).text)
  }

  private func measure(_ host: ProfileDeclaration) throws -> Measured {
    let folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }
    return try Interruption().run(removing: scratch) { try measure(host, in: scratch) }
  }

  private func measure(_ host: ProfileDeclaration, in scratch: ScratchFolder) throws -> Measured {
    let ledger = WorkLedger()
    let machine = LiveMachine(ledger: ledger)
    defer { machine.stop() }
    let bench = try CalibrationBench(
      machine: machine, ledger: ledger, instruments: .live, folder: try scratch.makeFolder("calibration"))
    let calibration = Calibration(bench)
    let progress = ProgressLine(isQuiet: quiet)
    defer { progress.clear() }
    progress.show("waking another thread")
    let handOver = try calibration.measureHandOver()
    let start = ContinuousClock.now
    func show(_ rounds: Int) {
      let left = max(0, Int64(seconds) - (ContinuousClock.now - start).components.seconds)
      progress.show("\(rounds) round\(rounds == 1 ? "" : "s") of all scenarios\(TimeLeft.text(seconds: left))")
    }
    show(0)
    let rows = try calibration.run(
      .init(time: .seconds(Int64(seconds)), minimumRounds: 1, maximumRounds: 1_000), hearRound: show)
    let weights = Dictionary(
      CalibrationScenario.all.map { ($0.name, $0.weight) }, uniquingKeysWith: { first, _ in first })
    let fit = ProfileFit(rows, weights: weights)
    let facts = HostFacts.current
    let whole = rows.filter { $0.scenario.hasPrefix("import units") }
    let waking = "waking another thread: \(FigureText.short(Double(handOver.nanoseconds) / 1_000)) µs"
    return Measured(
      profile: CalibratedProfile(
        name: name, title: title ?? "This engine on \(facts.cores) cores, \(facts.processor)",
        version: host.version, origin: "\(facts.processor), SQLite \(facts.sqlite)",
        hardware: hardware(host, facts), handOver: handOver, fit: fit),
      rows: rows, report: CalibrationReport(fit: fit, whole: whole).text + "\n\n" + waking)
  }

  private func hardware(_ host: ProfileDeclaration, _ facts: HostFacts) -> Hardware {
    var hardware = host.hardware
    hardware.cores = facts.cores
    hardware.source = "the machine itself; Linux favours nobody, slices of 3 ms (assumption)"
    return hardware
  }
}
