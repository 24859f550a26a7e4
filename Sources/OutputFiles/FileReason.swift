import Foundation
import MachineCore

/// The reason why a file cannot be read or written, in a few words.
package enum FileReason {
  /// Returns the system's description of the code `errno` for a file at `path`. For a full disk, the text names the
  /// mount point of its file system.
  package static func text(_ code: CInt, at path: String) -> String {
    switch code {
    case ENOSPC: "no space is left on the file system at \(mountPoint(of: path))"
    case EDQUOT: "the quota on the file system at \(mountPoint(of: path)) is used up"
    case EFBIG: CompleteWrite.sizeLimit
    default: String(cString: strerror(code))
    }
  }

  /// Returns the system's description of an error, in one line.
  package static func text(of error: any Error, at path: String) -> String {
    if let code = code(of: error) { return text(code, at: path) }
    return error.localizedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Returns the system's code for an error of Foundation's, or nil if the error has no such code.
  package static func code(of error: any Error) -> CInt? {
    if let posix = error as? POSIXError { return posix.code.rawValue }
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey]
    if let posix = underlying as? POSIXError { return posix.code.rawValue }
    if let posix = underlying as? NSError, posix.domain == NSPOSIXErrorDomain { return CInt(posix.code) }
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: return ENOENT
    case .fileWriteOutOfSpace: return ENOSPC
    default: return nil
    }
  }

  /// Returns true if a code says that a file system has no room left.
  package static func isFullDisk(_ code: CInt) -> Bool { [ENOSPC, EDQUOT].contains(code) }

  /// Returns the folder at which the file system of `path` is mounted. For a path that does not exist, the nearest
  /// existing folder above it counts.
  package static func mountPoint(of path: String) -> String {
    var folder = path
    var real = realpath(folder, nil)
    while real == nil, let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      real = realpath(folder, nil)
    }
    guard let real else { return path }
    defer { free(real) }
    var point = String(cString: real)
    var own = stat()
    guard stat(point, &own) == 0 else { return point }
    while point != "/" {
      let parent = point.lastIndex(of: "/").map { $0 == point.startIndex ? "/" : String(point[..<$0]) } ?? "/"
      var above = stat()
      guard stat(parent, &above) == 0, above.st_dev == own.st_dev else { break }
      point = parent
    }
    return point
  }
}
