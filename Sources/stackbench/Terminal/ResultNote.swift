import Experiments
import Foundation
import Reporting

/// The lines with which a command ends that has written a result: where it lies, and what can be done with it.
struct ResultNote: Sendable {
  /// The folder of the result, as it was given.
  var folder: String
  /// Where the result is now that the folder held before, or nil if it held none.
  var moved: String?
  /// True if `report` makes a page of the result.
  var canBeReported = true

  /// The lines, each ended.
  var text: String {
    let words = ShellWord.quoted(folder)
    var lines = ["", "Results: \(folder)"]
    if canBeReported { lines.append("Report:  stackbench report \(words)") }
    lines.append("Again:   stackbench show \(words)")
    if let movedLine { lines.append(movedLine) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The line that says where the earlier result is, or nil if there was none.
  var movedLine: String? {
    moved.map { moved in
      "Earlier: the result that was there is now in \(folder.hasPrefix("/") ? moved : WorkingFolder.shown(moved))"
    }
  }

  /// Prints the lines where they belong: behind a table, or else, as far as something was moved, on standard error.
  func show(behindTable: Bool) {
    if behindTable {
      StandardOutput.write(text)
    } else if let movedLine {
      StandardError.write(line: movedLine)
    }
  }
}
