import Glibc

/// The standard error of the process, without a buffer.
package enum ErrorOutput {
  /// Writes `text`. If a write fails, for example because the descriptor is closed, the rest is dropped.
  package static func write(_ text: String) {
    Lines.writeAll(Array(text.utf8)) { Glibc.write(STDERR_FILENO, $0, $1) }
  }
}
