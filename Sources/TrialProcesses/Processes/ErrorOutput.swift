import Glibc
import MachineCore

/// The standard error of the process, without a buffer.
package enum ErrorOutput {
  /// Writes `text`. If a write fails, for example because the descriptor is closed, the rest is dropped.
  package static func write(_ text: String) {
    _ = CompleteWrite.write(text.utf8, to: STDERR_FILENO)
  }
}
