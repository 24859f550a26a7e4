import Foundation

/// A description, in a few words, of Foundation's error for a file that cannot be read or written.
struct FileFault {
  var sentence: String

  /// Creates the description of an error. Errors without a sentence here get the system's text for their code, or their
  /// own description if they have no code.
  init(_ error: any Error) {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: sentence = "there is no such file"
    case .fileReadNoPermission, .fileWriteNoPermission: sentence = "permission is denied"
    case .fileWriteOutOfSpace: sentence = "the disk is full"
    case .fileWriteVolumeReadOnly: sentence = "the file system is read-only"
    default:
      let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey]
      let code = (underlying as? POSIXError)?.code.rawValue ?? (underlying as? NSError).map { Int32($0.code) }
      sentence = code == EISDIR ? "it is a folder" : code.map { String(cString: strerror($0)) } ?? "\(error)"
    }
  }
}
