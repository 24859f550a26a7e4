import ArgumentParser
import CommandShell
import Experiments
import Reporting
import TrialProcesses

/// The flags for the folder and the form of a run's results.
struct OutputFlags: ParsableArguments {
  private static let parent = "Results"
  private static let standardFolder = "\(parent)/latest"

  @Option(
    folder: "The folder of the results; made if it is missing. (default: \(standardFolder))",
    discussion: "A result that it holds is moved into a folder beside it first, called after its day: 2026-07-29-1.")
  var output: String?

  @Option(
    help: ArgumentHelp("Keep the results as \(parent)/NAME, which holds none yet.", valueName: "name"),
    transform: OutputFlags.checkedName)
  var name: String?

  @Flag(help: "Overwrite the result that the folder holds, in place of moving it.")
  var replace = false

  @Option(
    folder: "The folder of the stores during the trials. Files made there are removed. (default: the output folder)",
    discussion: "On a file system in memory nothing is durable and commits cost nothing; the table says so then.")
  var scratch: String?

  @Option(
    formats: PrintedRun.formats, inWords: "text (tables), json, csv (the rows of summary.csv) or markdown",
    valueName: "text|json|csv|markdown")
  var format = OutputFormat.text

  @Flag(help: "Print no results and no progress.")
  var quiet = false
}

// MARK: - Meaning

extension OutputFlags {
  /// Returns the path of the folder for the results, as it is given.
  ///
  /// - Throws: `RunFailure` with status 64 if both `--name` and `--output` are given.
  func folder() throws -> String {
    guard let name else { return output ?? OutputFlags.standardFolder }
    if let output {
      throw RunFailure.usage("--name \(name): contradicts --output \(output); use one of the two")
    }
    return "\(OutputFlags.parent)/\(name)"
  }

  /// Checks that the flags and the folder's contents allow a new result there. `run` calls it before it begins work
  /// that takes time.
  ///
  /// - Parameter path: The absolute path of the folder.
  /// - Throws: `RunFailure` with status 64 if the folder holds a result that cannot be moved or that `--name` would
  ///   replace.
  func check(_ path: String) throws {
    guard !replace else { return }
    guard let name else { return try StoredResult.checkThatItCanBeMoved(from: path, flag: "--output") }
    guard StoredResult.kind(in: path) == nil else {
      throw RunFailure.usage(
        "--name \(name): \(OutputFlags.parent)/\(name) holds a result already; use another name, or --replace to "
          + "overwrite it")
    }
  }

  /// Reads the name of a folder.
  private static func checkedName(_ text: String) throws -> String {
    guard !text.isEmpty, !text.contains("/"), !text.hasPrefix("."), !text.hasPrefix("-") else {
      throw OptionValue.Refusal(
        description: "not the name of a folder in \(parent); use letters, digits and hyphens, or --output for a path")
    }
    return text
  }
}
