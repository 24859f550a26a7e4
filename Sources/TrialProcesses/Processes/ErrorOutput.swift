import Glibc

/// The standard error of the process, without a buffer.
package enum ErrorOutput {
  /// Writes `text`. If a write fails, for example because the descriptor is closed, the rest is dropped.
  package static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
