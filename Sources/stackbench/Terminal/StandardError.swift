import Foundation
import Glibc
import TrialProcesses

/// Standard error, unbuffered.
enum StandardError {
  /// Whether it is a terminal that erases what it has shown.
  static var canErase: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// How many columns the terminal has; 80 where it does not say.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes a message in one line, without control characters, and with its long parts cut.
  static func write(line: String) {
    write(MessageText.line(line) + "\n")
  }

  /// Writes all of `text`. What a closed descriptor does not take is dropped.
  static func write(_ text: String) {
    ErrorOutput.write(text)
  }
}
