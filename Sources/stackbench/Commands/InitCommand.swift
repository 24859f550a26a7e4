import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Glibc
import OutputFiles
import Reporting
import TrialProcesses

/// The command `stackbench init`, which writes the settings file of a folder.
struct InitCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes \(SettingsFile.name) with the model, the feed and the store that a folder has.",
    discussion: """
      The command searches the folder \(FolderSurvey.deepestLevel) folders deep. Hidden files, links, and folders such \
      as Pods and DerivedData are left out. It chooses the model and the feed that fit each other best, and a store of \
      that model. Everything else that it finds is in the file as a comment. The contents of a file decide if it is a \
      feed, a store, a stack, a map or a device. Only the settings file is written.

      These commands read the file if it is in the working folder: run, sweep, advise, compare --live, explain, \
      topologies --format swift, and inspect, which takes the model for a store or a map from it. A flag replaces a \
      setting of the file, and --no-settings-file leaves the file aside. A note on standard error names the settings that \
      were taken from it. Other commands, such as gate and validate, do not read it.

      Status: 0 success, also if nothing was found; 1 the disk is full; 64 bad usage, a file that exists already, or one \
      that cannot be written; 130 interrupted, after cleaning up.
      """)

  @Argument(
    help: ArgumentHelp("The folder to search. (default: the working folder)", valueName: "folder"),
    completion: .directory, transform: OptionValue.path)
  var folder = "."

  @Flag(help: "Overwrite the file that the folder has.")
  var force = false

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  func runBlocking() throws -> ExitStatus {
    let target = folder == "." ? SettingsFile.name : "\(folder)/\(SettingsFile.name)"
    try check(target)
    let survey = try survey()
    let text = SettingsFileText(survey)
    do throws(FileError) {
      try AtomicFile.write(Data(text.text.utf8), to: target)
    } catch {
      throw RunFailure.unwritable(error, after: "", advice: "use a folder that is writable")
    }
    if !quiet { StandardOutput.write(report(survey, text: text, target: target)) }
    return .success
  }

  /// Checks that the file can be written. It is called before the folder is searched.
  private func check(_ target: String) throws {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw RunFailure.usage("\(folder): \(String(cString: strerror(errno))); use an existing folder")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw RunFailure.usage("\(folder): is no folder; use a folder") }
    if lstat(target, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw RunFailure.usage("\(target): exists and is no file; move it away")
      }
      guard force else {
        throw RunFailure.usage("\(target): exists and would be overwritten; add --force to replace it")
      }
    }
    do throws(FileError) {
      AtomicFile.removeAbandoned(in: folder)
      _ = try AtomicFile(staging: Data(), for: target)
    } catch {
      throw RunFailure.unwritable(error, after: "", advice: "use a folder that is writable")
    }
  }

  private func survey() throws -> FolderSurvey {
    let scratch = try ScratchFolder(in: URL(fileURLWithPath: NSTemporaryDirectory()).standardizedFileURL.path)
    defer { scratch.remove() }
    do {
      return try FolderSurvey(of: folder, scratch: scratch.path, except: SettingsFile.name)
    } catch {
      throw error.code == .fullDisk ? RunFailure(kind: .diskFull, "\(error)") : RunFailure.usage("\(error)")
    }
  }
}

// MARK: - Text

extension InitCommand {
  /// Returns the lines about the file and the command to use next.
  private func report(_ survey: FolderSurvey, text: SettingsFileText, target: String) -> String {
    var lines: [String] = []
    if survey.isEmpty {
      let place = folder == "." ? "this folder" : folder
      lines.append("No model, feed, store or stack was found in \(place). All settings in \(target) are comments.")
    } else {
      lines.append("\(target) has these settings:")
      lines += text.given.map { "  \($0.name): \($0.value)\($0.remark.isEmpty ? "" : " (\($0.remark))")" }
      if text.given.isEmpty { lines.append("  none; everything that was found is a comment") }
      if text.commentCount > 0 { lines.append("Further files are in it as comments: \(text.commentCount).") }
    }
    if survey.isCut {
      lines.append("Only the first \(FolderSurvey.largestCount) entries of the folder were looked at.")
    }
    let change = folder == "." ? "" : "cd \(ShellWord.quoted(folder)) && "
    lines += ["", "Next: \(change)stackbench run --machine simulated"]
    return VisibleText.lines(lines.map { $0 + "\n" }.joined())
  }
}
