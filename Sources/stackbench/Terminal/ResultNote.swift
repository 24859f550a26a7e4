import CommandShell
import Experiments
import Foundation
import Reporting

/// The last lines of a command that has written a result. They contain the folder and the commands that can use the
/// result.
struct ResultNote: Sendable {
  /// The folder of the result, as it was given.
  var folder: String
  /// The path to which the folder's earlier result was moved, or nil if no result was moved.
  var moved: String?
  /// True if `report` can make a page of the result.
  var canBeReported = true
  /// The command that advises a stack for the question of the result, or nil if the result has no such question.
  var adviceCommand: String?

  /// The stack with which the others are compared, as the user named it, or nil if `show` finds it by itself.
  var reference: String?

  /// The lines. Each ends with a line break.
  var text: String {
    let words = ShellWord.quoted(folder)
    var lines = ["", "Results: \(folder)"]
    if canBeReported { lines.append("Report:  stackbench report \(words)") }
    let comparison = reference.map { " --reference \(ShellWord.quoted($0))" } ?? ""
    lines.append("Again:   stackbench show \(words)\(comparison)")
    if let adviceCommand { lines.append("Next:    \(adviceCommand)") }
    if let movedLine { lines.append(movedLine) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The line with the path of the earlier result, or nil if no result was moved. If the folder's own path is not
  /// absolute, the path is shown relative to the working folder.
  var movedLine: String? {
    moved.map { moved in
      "Earlier: the result that was there is now in \(folder.hasPrefix("/") ? moved : WorkingFolder.shown(moved))"
    }
  }

  /// Prints all lines to standard output if they follow a table. Otherwise it prints only the line about a moved
  /// result, to standard error.
  func show(behindTable: Bool) {
    if behindTable {
      StandardOutput.write(text)
    } else if let movedLine {
      StandardError.write(line: movedLine)
    }
  }
}
