import Foundation
import Glibc

/// Where results go.
enum StandardOutput {
  /// Whether it shows colour: a terminal that can, whose user has not asked for none by setting `NO_COLOR` to anything
  /// (no-color.org).
  static var showsColour: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// Writes past the buffer, to a program that waits for the line.
  static func writeAtOnce(line: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
}
