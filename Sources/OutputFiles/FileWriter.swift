import Foundation
import MachineCore

/// A file that is open for writing. Its errors contain the system's reasons.
final class FileWriter {
  /// The path that errors name.
  private let path: String
  private let descriptor: CInt

  /// Takes over an open descriptor, which is closed when the value is deinitialized.
  init(_ descriptor: CInt, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    Glibc.close(descriptor)
  }

  /// Writes all of `contents`.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`, also if the reader of a FIFO has closed it.
  func write(_ contents: Data) throws(FileError) {
    // If the reader has closed a FIFO, a write would otherwise end the process with a signal.
    let handler = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, handler) }
    let code = CompleteWrite.write(contents, to: descriptor)
    guard code == 0 else { throw error(code) }
  }

  /// Checks that all contents could be written: some file systems report only when a file is closed that they are full.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  func flush() throws(FileError) {
    let copy = dup(descriptor)
    guard copy >= 0, Glibc.close(copy) == 0 || errno == EINTR else { throw error(errno) }
  }

  private func error(_ code: CInt) -> FileError { FileError(writing: path, code) }
}
