import Glibc

/// A YAML file of the user.
package enum YAMLFile {
  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - largestSize: The size of the largest file that is read, in bytes.
  ///   - kind: The contents in a few words, such as `a topology`.
  /// - Returns: The text.
  /// - Throws: `YAMLError` that names the file.
  package static func text(at path: String, largestSize: Int, of kind: String) throws(YAMLError) -> String {
    let bytes: [UInt8]
    do throws(Flaw) {
      bytes = try contents(of: path, largestSize: largestSize)
    } catch {
      throw YAMLError(.malformedText, "\(error.message); use the path of \(kind) in YAML", place: path)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw YAMLError(.malformedText, "not UTF-8 text; use YAML", place: path)
    }
    return text
  }

  /// A reason why a file cannot be read.
  private struct Flaw: Error {
    let message: String

    init(_ message: String) {
      self.message = message
    }

    /// The reason that `errno` gives.
    static var ofSystem: Flaw { Flaw("cannot be read: \(String(cString: strerror(errno)))") }
  }

  private static func contents(of path: String, largestSize: Int) throws(Flaw) -> [UInt8] {
    // O_NONBLOCK keeps the call from waiting for a writer of a FIFO.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .ofSystem }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .ofSystem }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Flaw("cannot be read: it is \(kind(status.st_mode))") }
    var bytes = [UInt8](repeating: 0, count: largestSize + 1)
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
      guard read >= 0 else { throw .ofSystem }
      if read == 0 { break }
      count += read
    }
    guard count <= largestSize else { throw Flaw("larger than \(largestSize) bytes") }
    return Array(bytes.prefix(count))
  }

  private static func kind(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a folder"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}
