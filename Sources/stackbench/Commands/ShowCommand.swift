import ArgumentParser
import CommandShell
import Experiments
import Foundation
import TrialProcesses

/// The command `stackbench show`, which prints a stored result again.
struct ShowCommand: BlockingCommand {
  private static let standardFolder = "Results/latest"
  private static let formats = ["text", "json", "csv", "markdown"]

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
    help: ArgumentHelp(
      "The format of standard output: \(formats.joined(separator: ", ")). (default: text)", valueName: "name"),
    completion: .list(formats), transform: OptionValue.name(of: formats))
  var format = "text"

  @OptionGroup var reference: ReferenceFlags

  func runBlocking() throws -> ExitStatus {
    let text = try text(StandardOutput.style)
    if format == "csv" {
      StandardOutput.write(table: text)
    } else {
      let kind = StoredResult.kind(in: folder)
      // Stored answers have no colours.
      StandardOutput.write(text, keepsColours: StandardOutput.showsColour && (kind == .run || kind == .sweep))
    }
    return .success
  }

  private func text(_ style: TextStyle) throws -> String {
    let reference = try reference.stack()
    switch StoredResult.kind(in: folder) {
    case .run:
      try check(StoredRun.formats, of: "a run")
      return try StoredRun(path: folder, words: .standard, reference: reference).text(format: format, style: style)
    case .sweep:
      try check(StoredSweep.formats, of: "a sweep")
      return try StoredSweep(path: folder, reference: reference).text(format: format, style: style)
    case .advice:
      try checkReference("advice")
      try check(PrintedAnswer.formats, of: "advice")
      return try PrintedAnswer.advice.text(in: folder, format: format)
    case .comparison:
      try checkReference("a comparison")
      try check(PrintedAnswer.formats, of: "a comparison")
      return try PrintedAnswer.comparison.text(in: folder, format: format)
    case nil:
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
      throw RunFailure.usage(
        "\(folder): \(isThere ? "holds no result" : "not a folder"); use one that run, sweep, advise or compare wrote")
    }
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
  private func check(_ formats: [String], of what: String) throws {
    guard !formats.contains(format) else { return }
    throw RunFailure.usage(
      "--format \(format): \(folder) holds \(what); use one of \(formats.joined(separator: ", "))")
  }
}
