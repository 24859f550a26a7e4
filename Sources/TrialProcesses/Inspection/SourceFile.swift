import Glibc
import OutputFiles

/// A regular file that is open for reading and never written.
final class SourceFile {
  /// The path of the file, as errors name it.
  let path: String
  let descriptor: CInt
  private let opened: stat

  /// Opens a file. A FIFO or a device does not block.
  ///
  /// - Throws: `FileError` with code `unreadable` if the file cannot be opened or is not a regular file.
  convenience init(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(reading: path, errno) }
    try self.init(descriptor, path: path)
  }

  /// Opens a file, or returns nil if there is no file at the path.
  ///
  /// - Throws: `FileError` with code `unreadable` as `init(_:)`.
  static func ifPresent(_ path: String) throws(FileError) -> SourceFile? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw FileError(reading: path, errno) }
    return try SourceFile(descriptor, path: path)
  }

  private init(_ descriptor: CInt, path: String) throws(FileError) {
    self.descriptor = descriptor
    self.path = path
    var status = stat()
    let code = fstat(descriptor, &status) == 0 ? 0 : errno
    opened = status
    guard code == 0 else { throw FileError(reading: path, code) }
    if let other = FolderEntries.noun(of: status.st_mode & S_IFMT) {
      throw FileError(.unreadable, path: path, message: "is \(other); use a file")
    }
  }

  deinit {
    close(descriptor)
  }

  /// Returns the present size in bytes.
  ///
  /// - Throws: `FileError` with code `unreadable`.
  func size() throws(FileError) -> Int { Int(try status().st_size) }

  /// Returns true if the path still leads to the file that was opened.
  func isInPlace() -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_ino == opened.st_ino && status.st_dev == opened.st_dev
  }

  /// Returns the present size and the times at which the contents and the file itself changed last.
  func version() throws(FileError) -> Version {
    let status = try status()
    return Version(
      size: Int(status.st_size), modified: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec],
      changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
  }

  /// The features of a file that a write changes.
  struct Version: Hashable {
    let size: Int
    let modified: [Int]
    let changed: [Int]
  }

  private func status() throws(FileError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(reading: path, errno) }
    return status
  }

  /// Returns the first bytes of the file: `count` bytes, or all if the file is shorter.
  ///
  /// - Throws: `FileError` with code `unreadable`.
  func prefix(_ count: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var length = 0
    while length < count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress! + length, count - length, off_t(length))
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw FileError(reading: path, errno) }
      if read == 0 { break }
      length += read
    }
    return Array(bytes.prefix(length))
  }
}
