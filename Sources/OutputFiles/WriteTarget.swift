import Foundation

/// The place that a path leads to when a file is written.
enum WriteTarget: Hashable {
  /// A regular file, or a file that does not exist yet. The last part of its path is not a link.
  case file(String)
  /// A device or a FIFO, to which contents are written and which is not replaced.
  case stream(String)
  /// A descriptor of this process, named by a path such as `/dev/stdout`.
  case descriptor(CInt)

  private static let linkLimit = 40

  /// Finds the target of a path by following its links.
  ///
  /// - Throws: `FileError` with code `unwritable` for a path to which no contents can be written.
  init(_ path: String) throws(FileError) {
    var current = path
    for _ in 0..<Self.linkLimit {
      if let descriptor = Self.descriptor(current) {
        self = .descriptor(descriptor)
        return
      }
      var status = stat()
      guard lstat(current, &status) == 0 else {
        guard errno == ENOENT, !current.hasSuffix("/") else { throw FileError(writing: path, errno) }
        self = .file(current)
        return
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        // A rename would replace such a file if its folder can be written.
        guard status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH) != 0 else {
          throw Self.error(path, reason: "it is read-only for everybody; allow writing with chmod, or use another path")
        }
        self = .file(current)
        return
      case S_IFCHR, S_IFIFO:
        guard access(current, W_OK) == 0 else { throw FileError(writing: path, errno) }
        self = .stream(current)
        return
      case S_IFLNK: current = try Self.destination(ofLink: current, path)
      case S_IFDIR: throw FileError(writing: path, EISDIR)
      case S_IFBLK: throw Self.error(path, reason: "it is a block device")
      default: throw Self.error(path, reason: "it is a socket")
      }
    }
    throw FileError(writing: path, ELOOP)
  }

  private static func destination(ofLink link: String, _ path: String) throws(FileError) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(link, &bytes, bytes.count - 1)
    guard count >= 0 else { throw FileError(writing: path, errno) }
    guard let target = String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) else {
      throw error(path, reason: "it links to a name that is not valid UTF-8")
    }
    return target.hasPrefix("/") ? target : "\(parent(of: link))/\(target)"
  }

  /// Returns the number of a descriptor of this process whose name in `/proc` is `path`, or nil for any other path.
  private static func descriptor(_ path: String) -> CInt? {
    guard let number = path.split(separator: "/").last.flatMap({ CInt($0) }), let real = realpath(parent(of: path), nil)
    else { return nil }
    defer { free(real) }
    return String(cString: real) == "/proc/\(getpid())/fd" ? number : nil
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func error(_ path: String, reason: String) -> FileError {
    FileError(.unwritable, path: path, message: "cannot be written: \(reason)")
  }
}
