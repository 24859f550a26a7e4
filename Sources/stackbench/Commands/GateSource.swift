import Experiments
import Foundation
import Reporting
import TrialProcesses

/// The file and the baseline of a gate, by the arguments of the command and the files of the working folder.
struct GateSource {
  /// The path of the plan, as messages name it, or nil for a plan in the folder of the baseline.
  private let file: String?
  /// The path of the baseline, as messages name it.
  let baseline: String
  /// True if the user named the baseline.
  private let isBaselineGiven: Bool

  init(file: String?, baseline: String?) {
    let isBesideUser = baseline == nil && FileManager.default.fileExists(atPath: GatePlan.fileName)
    let file = file ?? (isBesideUser ? GatePlan.fileName : nil)
    self.file = file
    isBaselineGiven = baseline != nil
    self.baseline = baseline ?? file.map(Self.folderBeside) ?? GateBaseline.standardFolder
  }

  private static func folderBeside(_ file: String) -> String {
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return file.contains("/") ? "\(folder)/\(GateBaseline.folderBesidePlan)" : GateBaseline.folderBesidePlan
  }

  /// Reads the plan. The folder of its file becomes the working folder, since paths in the file are relative to it.
  ///
  /// - Throws: `RunFailure` with status 64 if the file cannot be read or is damaged.
  func plan() throws -> GatePlan {
    guard let path = file ?? fileOfBaseline else { return try GatePlan(of: baseline) }
    let location = WorkingFolder.absolutePath(path)
    let folder = URL(fileURLWithPath: location).deletingLastPathComponent().path
    guard FileManager.default.changeCurrentDirectoryPath(folder) else {
      throw RunFailure.usage("\(path): cannot be read: no such folder; use the path of a gate in YAML")
    }
    return try GatePlan(at: location, place: path)
  }

  private var fileOfBaseline: String? {
    let path = "\(baseline)/\(GatePlan.fileName)"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}

// MARK: - Words

extension GateSource {
  /// The arguments that name the file and the baseline in a command.
  private var arguments: String {
    let given = [file == GatePlan.fileName ? nil : file].compactMap(\.self).map(ShellWord.quoted)
    return (given + (isBaselineGiven ? ["--baseline \(ShellWord.quoted(baseline))"] : [])).map { " \($0)" }.joined()
  }

  private var command: String { "stackbench gate --record\(arguments)" }

  var baselineWords: GateBaseline.Words {
    GateBaseline.Words(
      flag: "--baseline", recording: file == nil ? "'make baseline'" : "'\(command)'",
      program: file == nil ? "stackbench gate --record --baseline \(baseline)" : nil)
  }

  /// The words of the command line with the command that records the baseline of this gate.
  var words: CommandWords {
    var words = CommandWords.standard
    if file != nil { words.recordBaseline = command }
    return words
  }
}
