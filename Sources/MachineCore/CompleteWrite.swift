import Glibc

/// The writing of bytes to a descriptor, also if a call of the system writes only a part of them.
package enum CompleteWrite {
  /// The reason of a write that fails with `EFBIG`.
  package static let sizeLimit = "the file would be larger than this process may write (ulimit -f)"

  /// Writes all bytes to a descriptor.
  ///
  /// - Returns: 0, or the code `errno` of the call that failed.
  package static func write(_ bytes: some Collection<UInt8>, to descriptor: CInt) -> CInt {
    write(bytes) { Glibc.write(descriptor, $0, $1) }
  }

  /// Writes all bytes by calls of `write`, which takes bytes and their number and returns as the system's function does.
  ///
  /// - Returns: 0, or the code `errno` of the call that failed.
  package static func write(
    _ bytes: some Collection<UInt8>, by write: (UnsafeRawPointer?, Int) -> Int
  ) -> CInt {
    let code = bytes.withContiguousStorageIfAvailable { bytes -> CInt in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = write(part.baseAddress, part.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : ENOSPC }
        rest = rest.dropFirst(count)
      }
      return 0
    }
    return code ?? self.write(Array(bytes), by: write)
  }
}
