import ArgumentParser
import CommandShell
import Experiments
import Foundation
import InputFiles
import MachineCore
import MachineSimulated
import Metrics
import OutputFiles
import Reporting
import TrialProcesses
import Validation

/// The command `calibrate`, which measures the costs of the engine's work and writes them as a profile.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CalibrationFlags.command

  @OptionGroup var flags: CalibrationFlags

  func run() throws {
    let host = try hostDeclaration()
    let reference = try ProfileLibrary.reference()
    let measured = try flags.from.map { try CalibrationData(path: $0, host: host) } ?? measure(host)
    // Counts of instructions have no noise, so that their fit uses only the weakest prior.
    let cold = CalibrationScenario.cold.map { scenario in measured.rows.filter { $0.scenario == scenario.name } }
    let rows = measured.rows.filter { row in !CalibrationScenario.cold.contains { $0.name == row.scenario } }
    let fit = ProfileFit(
      rows, reference: reference, weights: CalibrationScenario.weights,
      priorDeviations: flags.asReference ? [1] : ProfileFit.standardPriorDeviations)
    if !flags.quiet { StandardOutput.write("\(CalibrationResult(fit: fit).text)\(measured.note)\n") }
    let coldFit = ColdFit(cold, blockCount: CalibrationScenario.coldBlockCount)
    if !flags.quiet, let coldFit {
      let limit = FigureText.short(Double(coldFit.limit.nanoseconds) / 1_000)
      let rate = FigureText.short(coldFit.rate)
      print("Each microsecond that a thread slept costs its next block \(rate) ns, up to \(limit) µs of sleep.")
    }
    if flags.asReference { return try write([(flags.output, try CountedReference(fit).text(replacing: reference))]) }
    let refusal = refusal(of: measured, fit)
    if let refusal, flags.fallBack, !flags.classesOnly {
      print("calibrate: \(refusal); takes reference costs times this machine's factors")
    }
    if let refusal, !flags.classesOnly, !flags.fallBack {
      try write([measurementsFile(measured.rows)])
      throw RunFailure.failed(
        "\(refusal); no profile was written; measure again on a quiet computer, or take --classes-only or --fall-back")
    }
    var data = measured
    if let title = flags.title { data.title = title }
    let profile = CalibratedProfile(
      name: flags.name, version: host.version, data: data, fit: fit, storage: StorageFit(rows, host: host),
      cold: coldFit, takesClassesOnly: flags.classesOnly || refusal != nil)
    let text = ProfileWriter(profile.declaration(host: host, reference: reference)).text
    // The text is read back before it is written, so that an impossible constant is refused here and not when the
    // profile is first used.
    _ = try UserInput.read { () throws(ProfileError) in
      try ProfileLibrary.resolved(try ProfileReader(place: flags.output).declaration(from: text), place: flags.output)
    }
    try write([(flags.output, text), measurementsFile(measured.rows)])
  }

  /// Returns a clause that says why the constants of the fit are not to be relied on, or nil if they are.
  private func refusal(of measured: CalibrationData, _ fit: ProfileFit) -> String? {
    if let disturbance = measured.disturbance, !disturbance.findings.isEmpty {
      return "this computer was too busy: \(disturbance.findings.joined(separator: "; ")); "
        + "\(disturbance.roundCount) rounds of all scenarios"
    }
    guard fit.meanError > CalibrationFlags.errorLimit else { return nil }
    return "the scenarios predict each other with a mean error of \(Int((100 * fit.meanError).rounded())) %, above "
      + "\(Int(100 * CalibrationFlags.errorLimit)) %"
  }

  private func hostDeclaration() throws(RunFailure) -> ProfileDeclaration {
    try UserInput.read { () throws(ProfileError) in try ProfileLibrary.declaration(named: "host") }
  }

  private func measurementsFile(_ rows: [WorkMeasurement]) -> (path: String, text: String)? {
    flags.measurements.map { ($0, MeasurementTable(rows).text) }
  }

  private func write(_ texts: [(path: String, text: String)?]) throws {
    do throws(FileError) {
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
    do throws(FileError) {
      for path in [flags.output] + [flags.measurements].compactMap(\.self) {
        AtomicFile.removeAbandoned(in: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        try AtomicFile.check(path)
      }
    } catch {
      throw RunFailure.unwritable(error, advice: "use a file in an existing folder that is writable")
    }
  }

  private func measure(_ host: ProfileDeclaration) throws -> CalibrationData {
    let folder = URL(fileURLWithPath: flags.output).deletingLastPathComponent().path
    _ = Leftovers.makeFolders(folder)
    try checkTargets()
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }
    let run = CalibrationRun(seconds: flags.seconds, progress: ProgressLine(isQuiet: flags.quiet))
    return try run.data(host: host, in: scratch)
  }
}
