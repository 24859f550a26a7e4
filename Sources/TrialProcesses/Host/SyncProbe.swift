import Glibc
import MachineCore
import OutputFiles

/// Measures how long a file system takes to make a page durable.
struct SyncProbe {
  private static let syncCount = 20
  private static let pageSize = 4_096

  let folder: String

  /// Appends 20 pages to a file with a sync after each page, and returns the time that each sync took.
  /// The writes are not timed. The file is removed even if an error is thrown.
  ///
  /// - Throws: `RunFailure` if the folder cannot be written.
  func run() throws -> [TimeSpan] {
    let path = "\(folder)/sync-probe"
    let file = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR)
    guard file >= 0 else { throw failure() }
    defer {
      close(file)
      unlink(path)
    }
    let page = [UInt8](repeating: 0x5a, count: SyncProbe.pageSize)
    return try (0..<SyncProbe.syncCount).map { _ in
      guard CompleteWrite.write(page, to: file) == 0 else { throw failure() }
      let start = ProcessorClock.read(CLOCK_MONOTONIC)
      guard fdatasync(file) == 0 else { throw failure() }
      return ProcessorClock.read(CLOCK_MONOTONIC) - start
    }
  }

  private func failure() -> RunFailure {
    RunFailure.unwritable(
      FileError(writing: folder, errno), advice: "use another folder with ", .setting(.scratchFolder))
  }
}
