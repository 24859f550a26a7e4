import Experiments
import Foundation
import Glibc
import Reporting
import TrialProcesses

/// Where results go.
enum StandardOutput {
  /// Whether it shows colour: a terminal that can, whose user has not asked for none by setting `NO_COLOR` to anything
  /// (no-color.org).
  static var showsColour: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// The number of columns that the terminal has; 80 where it does not say, and where output goes elsewhere.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    // Below this nothing can be read, however it is broken.
    return max(40, Int(size.ws_col))
  }

  /// The form of texts that are written there.
  static var style: TextStyle { TextStyle(usesColour: showsColour, width: width) }

  /// Returns the failure for output that is lost.
  ///
  /// - Parameter code: What `errno` says, or 0 if nothing is known.
  static func cannotBeWritten(_ code: CInt) -> RunFailure {
    let reason = code == 0 ? "" : ": \(String(cString: strerror(code)))"
    return .failed("standard output: cannot be written\(reason); use a file system with room")
  }

  /// Prints text, with a visible character in place of each one that a terminal would obey.
  ///
  /// - Parameter keepsColours: True for text that was made for a terminal that shows colour.
  static func write(_ text: String, keepsColours: Bool = false) {
    print(VisibleText.lines(text, keepsColours: keepsColours), terminator: "")
  }

  /// Prints a table for another program: byte for byte, unless a terminal shows it.
  static func write(table text: String) {
    if isatty(STDOUT_FILENO) == 1 { write(text) } else { print(text, terminator: "") }
  }

  /// Writes past the buffer, to a program that waits for the line.
  static func writeAtOnce(line: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    } catch {
      throw cannotBeWritten(FileReason.code(of: error) ?? 0)
    }
  }
}
