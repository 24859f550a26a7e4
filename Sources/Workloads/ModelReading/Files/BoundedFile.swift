import Foundation

/// The reading of regular files up to a limit. It never waits for a pipe or a device.
enum BoundedFile {
  /// Returns the kind of the file at a path, one of `S_IFREG` and its like. Links are followed.
  ///
  /// - Throws: `ModelError` if there is no such file or its folder cannot be read.
  static func kind(of path: String) throws(ModelError) -> mode_t {
    var status = stat()
    guard stat(path, &status) == 0 else { throw unreadable(path, code: errno) }
    return status.st_mode & S_IFMT
  }

  /// Returns the bytes of a regular file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The greatest number of bytes that the file may have.
  /// - Returns: All bytes of the file.
  /// - Throws: `ModelError` if the file is missing, is no regular file, is too large or cannot be read.
  static func bytes(of path: String, limit: Int) throws(ModelError) -> Data {
    try requireRegular(try kind(of: path), path: path)
    // A pipe that takes the file's place after the check does not block the call.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw unreadable(path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, code: errno) }
    try requireRegular(status.st_mode & S_IFMT, path: path)
    guard status.st_size <= limit else {
      throw ModelError(
        .refusedFile, "the file has \(status.st_size) bytes; a model has at most \(limit)", place: path)
    }
    // The file may grow while it is read.
    var bytes = Data(count: limit < status.st_size + 1 ? limit : Int(status.st_size) + 1)
    var count = 0
    while count < bytes.count {
      let wanted = bytes.count - count
      let start = count
      let got = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { read(descriptor, $0 + start, wanted) } ?? 0
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw unreadable(path, code: errno) }
      if got == 0 { break }
      count += got
    }
    return bytes.prefix(count)
  }

  /// Checks that a file is in a folder after all links are followed.
  ///
  /// - Throws: `ModelError` with `.refusedFile` if a link leads out of the folder.
  static func requireInside(_ folder: String, path: String) throws(ModelError) {
    let base = try resolved(folder)
    let target = try resolved(path)
    guard target == base || target.hasPrefix(base.hasSuffix("/") ? base : base + "/") else {
      throw ModelError(
        .refusedFile, "a link leads out of \(folder); use a model whose files are all in its folder", place: path)
    }
  }

  /// Returns the error about a file or folder that a system call could not use, with the reason that `errno` gave.
  static func unreadable(_ path: String, code number: CInt) -> ModelError {
    let reason =
      switch number {
      case ENOENT, ENOTDIR: "there is no such file or folder"
      case EACCES, EPERM: "the permission to read it is missing"
      case ELOOP: "its links lead in a circle"
      case ENAMETOOLONG: "its name is too long"
      default: String(cString: strerror(number))
      }
    return ModelError(.unreadableFile, reason, place: path)
  }

  private static func requireRegular(_ kind: mode_t, path: String) throws(ModelError) {
    let found =
      switch kind {
      case S_IFREG: nil as String?
      case S_IFDIR: "a folder"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    if let found { throw ModelError(.unreadableFile, "it is \(found); a model is read from a file", place: path) }
  }

  private static func resolved(_ path: String) throws(ModelError) -> String {
    guard let resolved = realpath(path, nil) else { throw unreadable(path, code: errno) }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
