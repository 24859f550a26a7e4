import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Reporting
import TrialProcesses

/// The command `stackbench show`, which prints a stored result again.
struct ShowCommand: BlockingCommand {
  private static let standardFolder = "Results/latest"

  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints a stored run, sweep, advice or comparison again, in any format.",
    discussion: """
      The files in the folder show which kind of result it holds. Each is printed as text, json or markdown, \
      and runs and sweeps as csv, too.

      Status: 0 success; 64 bad usage, or a folder without a result or with a damaged one.
      """)

  @Argument(
    help: ArgumentHelp("The folder of the result. (default: \(standardFolder))", valueName: "folder"),
    completion: .directory, transform: OptionValue.path)
  var folder = standardFolder

  @Option(
    formats: PrintedRun.formats, inWords: PrintedRun.formats.map(\.rawValue).joined(separator: ", "))
  var format = OutputFormat.text

  @OptionGroup var reference: ReferenceFlags

  func runBlocking() throws -> ExitStatus {
    let reference = try reference.stack()
    switch StoredResult.kind(in: folder) {
    case .run:
      try check(PrintedRun.formats, of: "a run")
      let run = StoredRun(path: folder, words: .standard, reference: reference)
      try StandardOutput.write(try run.printed(), as: format)
    case .sweep:
      try check(StoredSweep.formats, of: "a sweep")
      try StandardOutput.write(try StoredSweep(path: folder, reference: reference), as: format)
    case .advice: try print(.advice, titled: "advice")
    case .comparison: try print(.comparison, titled: "a comparison")
    case nil:
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
      throw RunFailure.usage(
        "\(folder): \(isThere ? "holds no result" : "not a folder"); use one that run, sweep, advise or compare wrote")
    }
    return .success
  }

  /// Prints a stored answer, which has no colours.
  private func print(_ answer: PrintedAnswer, titled title: String) throws {
    try checkReference(title)
    try check(PrintedAnswer.formats, of: title)
    StandardOutput.write(try answer.text(in: folder, format: format))
  }

  /// Checks that no reference is given, since the answer has been computed with its own.
  ///
  /// - Throws: `RunFailure` with status 64 if one is given.
  private func checkReference(_ what: String) throws {
    guard let word = reference.reference else { return }
    throw RunFailure.usage("--reference \(word): \(folder) holds \(what), which has one already; leave it out")
  }

  /// Checks that the chosen format is one of `formats`.
  ///
  /// - Throws: `RunFailure` with status 64 if it is not.
  private func check(_ formats: [OutputFormat], of what: String) throws {
    guard !formats.contains(format) else { return }
    throw RunFailure.usage(
      "--format \(format.rawValue): \(folder) holds \(what); use one of "
        + formats.map(\.rawValue).joined(separator: ", "))
  }
}
