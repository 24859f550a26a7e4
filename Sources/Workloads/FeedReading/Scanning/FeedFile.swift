import Foundation

/// An open file that is read from its beginning, more than once.
final class FeedFile {
  let path: String
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: `FeedError` if there is no such file, if it cannot be opened, or if it is not a regular file. A pipe or
  ///   a device could not be read a second time.
  init(path: String) throws(FeedError) {
    self.path = path
    // O_NONBLOCK keeps the opening of a pipe from waiting for its writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // The error of a file that was opened is thrown after all properties are set, so that it is closed again.
    guard descriptor >= 0 else { throw FeedFile.error(path, sentence: FeedFile.sentence(for: errno)) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw FeedFile.error(path, sentence: FeedFile.sentence(for: errno)) }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw FeedFile.error(path, sentence: "it is a folder")
    case S_IFIFO:
      throw FeedFile.error(path, sentence: "it is a pipe, which cannot be read twice; write it to a file first")
    default: throw FeedFile.error(path, sentence: "it is a device or a socket; use a file")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Moves to the beginning of the file.
  func rewind() throws(FeedError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw FeedFile.error(path, sentence: FeedFile.sentence(for: errno))
    }
  }

  /// Reads the next bytes of the file.
  ///
  /// - Returns: The number of bytes that were read, which is 0 only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw FeedFile.error(path, sentence: FeedFile.sentence(for: errno)) }
    }
  }

  private static func error(_ path: String, sentence: String) -> FeedError {
    FeedError(.unreadable, "the feed cannot be read: \(sentence)", path: path)
  }

  private static func sentence(for code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "permission is denied"
    default: String(cString: strerror(code))
    }
  }
}
