import Foundation
import MachineCore

/// A description, in a few words, of the reason why a file cannot be read or written.
struct FileFault {
  var sentence: String

  /// Creates the description of a code `errno`.
  init(_ code: CInt) {
    sentence = Self.sentence(of: code)
  }

  /// Creates the description of an error of Foundation's, which describes itself if it has no code.
  init(_ error: any Error) {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey]
    let code: CInt? =
      switch (error as? CocoaError)?.code {
      case .fileReadNoSuchFile, .fileNoSuchFile: ENOENT
      case .fileReadNoPermission, .fileWriteNoPermission: EACCES
      default: (underlying as? POSIXError)?.code.rawValue ?? (underlying as? NSError).map { CInt($0.code) }
      }
    sentence = code.map(Self.sentence) ?? "\(error)"
  }

  /// Returns the system's text for a code, or a plainer one.
  private static func sentence(of code: CInt) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "permission is denied"
    case ENOSPC: "the disk is full"
    case EROFS: "the file system is read-only"
    case EISDIR: "it is a folder"
    case EFBIG: CompleteWrite.sizeLimit
    default: String(cString: strerror(code))
    }
  }
}
