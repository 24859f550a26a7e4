import Foundation

/// What Foundation says of a file that it cannot read or write, in a few words.
struct FileFault {
  var sentence: String

  init(_ error: any Error) {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: sentence = "there is no such file"
    case .fileReadNoPermission, .fileWriteNoPermission: sentence = "permission is denied"
    case .fileWriteOutOfSpace: sentence = "the disk is full"
    case .fileWriteVolumeReadOnly: sentence = "the file system is read-only"
    default:
      let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let code = underlying?.domain == NSPOSIXErrorDomain ? underlying?.code : nil
      sentence = code.map { String(cString: strerror(Int32($0))) } ?? "\(error)"
    }
  }
}
