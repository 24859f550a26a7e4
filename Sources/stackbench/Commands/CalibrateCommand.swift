import ArgumentParser
import Experiments
import Foundation
import Harness
import MachineCore
import MachineLive
import MachineSimulated
import Metrics
import Profiles
import Reporting
import TrialProcesses
import Validation

/// The command `stackbench calibrate`, which measures the costs of the engine's work and writes them as a profile.
struct CalibrateCommand: ParsableCommand {
  private static let standardOutput = "Results/host.yaml"
  private static let standardSeconds = 30

  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measures what each kind of work costs on this computer and writes it as a profile.",
    discussion: """
      The command runs small parts of the engine's work on the live machine, with real files, at several sizes, \
      in many short rounds of random order. It fits the cost of each kind of work. Each cost is drawn towards \
      the shipped reference, multiplied by a factor of this computer for the class of the work. The report gives \
      the error with which the other scenarios predict each scenario. If the mean error is above \(Int(100 * ProfileFit.errorLimit)) %, no profile is written. The command takes less than a minute on a computer that \
      does nothing else.

      --from FILE.csv fits measurements from another device, such as a phone. Its header is \
      scenario,size,cpu_ns, then storage_ns if syncs were measured, then kinds of work as 'stackbench profiles \
      host' lists them, such as rowWritten, and rowWritten_bytes if a kind has bytes. A line is one scenario at \
      one size: the CPU time that it took, the time that it waited for storage, and the amount of each kind of \
      work. An empty field is 0. A cost that no line determines is the reference's, multiplied by the factor of \
      its class. --measurements FILE.csv writes the measurements of this computer in the same form.

      Status: 0 success; 1 the scenarios do not predict each other, and no profile was written; 64 bad usage, damaged \
      input, or a file that cannot be written.
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
    help: ArgumentHelp("Also write the measurements.", valueName: "file.csv"), transform: OptionValue.path)
  var measurements: String?

  @Option(help: ArgumentHelp("The name of the profile.", valueName: "name"))
  var name = "host"

  @Option(help: ArgumentHelp("The title of the profile. (default: the processor and its cores)", valueName: "text"))
  var title: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time to measure for. A longer time gives results that agree better. (default: \(standardSeconds))",
      valueName: "s"),
    transform: OptionValue.integer(in: 1...3_600))
  var seconds = standardSeconds

  @Flag(help: "Take over the factors of the classes of work alone, which is never refused.")
  var classesOnly = false

  @Flag(help: "If the measurements are refused, take over the factors of the classes alone instead, and print that.")
  var fallBack = false

  /// True to treat the measurements of `--from` as counted instructions and to write a reference of costs instead of a
  /// profile. `.ci/reference` uses this flag.
  @Flag(help: ArgumentHelp("Write the counted instructions as a reference of costs.", visibility: .hidden))
  var asReference = false

  @Flag(help: "Print no table and no progress.")
  var quiet = false

  func run() throws {
    let host = try hostDeclaration()
    let reference = try ProfileLibrary.reference()
    let measured = try from.map { try CalibrationData(path: $0, host: host) } ?? measure(host)
    // Counts of instructions have no noise, so that their fit uses only the weakest prior.
    let rows = measured.rows.filter { $0.scenario != CalibrationScenario.coldName }
    let fit = ProfileFit(
      rows, reference: reference, weights: CalibrationScenario.weights,
      priorDeviations: asReference ? [1] : ProfileFit.standardPriorDeviations)
    if !quiet { StandardOutput.write("\(CalibrationResult(fit: fit).text)\(measured.note)\n") }
    let cold = ColdFit(
      measured.rows.filter { $0.scenario == CalibrationScenario.coldName },
      blockCount: CalibrationScenario.coldMergeCount)
    if !quiet, let cold {
      let limit = FigureText.short(Double(cold.limit.nanoseconds) / 1_000)
      let rate = FigureText.short(cold.rate)
      print("Each microsecond that a thread slept costs its next block \(rate) ns, up to \(limit) µs of sleep.")
    }
    if asReference { return try write([(output, try CountedReference(fit).text(replacing: reference))]) }
    let isRefused = fit.meanError > ProfileFit.errorLimit
    if isRefused, fallBack {
      let error = Int((100 * fit.meanError).rounded())
      print("calibrate: mean error \(error) %; takes reference costs times this machine's factors")
    }
    guard !isRefused || classesOnly || fallBack else {
      try write([measurementsFile(measured.rows)])
      let error = Int((100 * fit.meanError).rounded())
      throw RunFailure.failed(
        "the scenarios predict each other with a mean error of \(error) %, above \(Int(100 * ProfileFit.errorLimit)) %; "
          + "no profile was written; measure again on a quiet computer, or take --classes-only or --fall-back")
    }
    let profile = CalibratedProfile(
      name: name, title: title ?? measured.title, version: host.version, origin: measured.origin,
      hardware: measured.hardware, handOver: measured.handOver, yardstick: measured.yardstick, fit: fit,
      storage: StorageFit(rows, host: host), cold: cold, takesClassesOnly: classesOnly || isRefused)
    let text = ProfileWriter(profile.declaration(host: host, reference: reference)).text
    // The text is read back before it is written, so that an impossible constant is refused here and not when the
    // profile is first used.
    _ = try UserInput.read { () throws(ProfileError) in
      try ProfileLibrary.resolved(try ProfileReader(place: output).declaration(from: text), place: output)
    }
    try write([(output, text), measurementsFile(measured.rows)])
  }

  private func hostDeclaration() throws(RunFailure) -> ProfileDeclaration {
    try UserInput.read { () throws(ProfileError) in try ProfileLibrary.declaration(named: "host") }
  }

  private func measurementsFile(_ rows: [WorkMeasurement]) -> (path: String, text: String)? {
    measurements.map { ($0, MeasurementTable(rows).text) }
  }

  private func write(_ texts: [(path: String, text: String)?]) throws {
    do throws(ReportingError) {
      var files: [AtomicFile] = []
      for (path, text) in texts.compactMap(\.self) {
        _ = Leftovers.makeFolders(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        files.append(try AtomicFile(staging: Data(text.utf8), for: path))
      }
      for file in files { try file.commit() }
    } catch {
      throw RunFailure.unwritable(error, advice: "use a file in an existing folder that is writable")
    }
  }
}

// MARK: - Measurements

extension CalibrateCommand {
  /// Checks that the files can be written. It is called before the measurements begin.
  private func checkTargets() throws {
    do throws(ReportingError) {
      for path in [output] + [measurements].compactMap(\.self) {
        AtomicFile.removeAbandoned(in: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        try AtomicFile.check(path)
      }
    } catch {
      throw RunFailure.unwritable(error, advice: "use a file in an existing folder that is writable")
    }
  }

  private func measure(_ host: ProfileDeclaration) throws -> CalibrationData {
    let folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
    _ = Leftovers.makeFolders(folder)
    try checkTargets()
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }
    let run = CalibrationRun(seconds: seconds, progress: ProgressLine(isQuiet: quiet))
    return try run.data(host: host, in: scratch)
  }
}
