import Foundation
import Glibc
import TrialProcesses

/// Standard error, unbuffered.
package enum StandardError {
  /// True if standard error is a terminal that can erase its text.
  package static var canErase: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// The number of columns of the terminal, or 80 if it is unknown.
  package static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes a message in one line, without control characters, and with its long parts cut.
  package static func write(line: String) {
    write(MessageText.line(line) + "\n")
  }

  /// Writes all of `text`. If a write fails, for example because the descriptor is closed, the rest is dropped.
  package static func write(_ text: String) {
    ErrorOutput.write(text)
  }
}
