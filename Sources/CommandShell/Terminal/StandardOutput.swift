import Experiments
import Foundation
import Glibc
import OutputFiles
import Reporting
import TrialProcesses

/// Standard output, which receives the results.
package enum StandardOutput {
  /// True if standard output shows colours. It has to be a terminal that can show them, and the variable `NO_COLOR` has
  /// to be empty or unset (no-color.org).
  package static var showsColour: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// The number of columns of the terminal, but at least 40. If standard output is not a terminal, it is the number in
  /// the variable `COLUMNS`, or 80.
  package static var width: Int {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let columns = isKnown ? Int(size.ws_col) : ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    // Text in fewer columns would be unreadable.
    return columns.map { $0 > 0 ? max(40, $0) : 80 } ?? 80
  }

  /// The form of texts for standard output.
  package static var style: TextStyle { TextStyle(usesColour: showsColour, width: width) }

  /// Returns the failure for output that could not be written. `code` is the value of `errno`, or 0 if it is unknown.
  package static func cannotBeWritten(_ code: CInt) -> RunFailure {
    let reason = code == 0 ? "" : ": \(String(cString: strerror(code)))"
    return .failed("standard output: cannot be written\(reason); use a file system with room")
  }

  /// Prints text. Each control character that a terminal would obey is replaced by a visible character, except for the
  /// colours if `keepsColours` is true.
  package static func write(_ text: String, keepsColours: Bool = false) {
    print(VisibleText.lines(text, keepsColours: keepsColours), terminator: "")
  }

  /// Prints a result in one of its formats.
  package static func write(
    _ result: some PrintableResult, as format: OutputFormat, style: TextStyle = StandardOutput.style
  ) throws {
    let text = try result.text(format, style: style)
    if format == .csv { write(table: text) } else { write(text, keepsColours: format == .text && style.usesColour) }
  }

  /// Prints a table for another program. It is printed unchanged unless standard output is a terminal, for which
  /// control characters are replaced.
  package static func write(table text: String) {
    if isatty(STDOUT_FILENO) == 1 { write(text) } else { print(text, terminator: "") }
  }

  /// Writes a line without buffering, for a program that waits for it.
  ///
  /// - Throws: `RunFailure` if the line cannot be written.
  package static func writeAtOnce(line: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    } catch {
      throw cannotBeWritten(FileReason.code(of: error) ?? 0)
    }
  }
}
