import CLinux
import Glibc
import MachineCore
import OutputFiles

extension SourceFile {
  /// The number of bytes that one call copies.
  private static let pieceByteCount = 64 << 20
  /// The number of bytes that one call copies if the kernel cannot copy between the two files by itself.
  private static let bufferByteCount = 1 << 20

  /// Copies the bytes that the file has now to a path at which there is no file. Bytes that are appended during the
  /// copy are left out, so that the copy ends even if another process appends without pause.
  ///
  /// The kernel copies the bytes, and shares the blocks if both files are on a file system that can share them.
  ///
  /// - Throws: `FileError` with code `unreadable`, `unwritable` or `fullDisk`.
  func copy(to target: String) throws(FileError) {
    let size = try size()
    let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
    guard copy >= 0 else { throw FileError(writing: target, errno) }
    defer { close(copy) }
    var offset = 0
    while offset < size {
      var place = offset
      let count = copy_file_range(descriptor, &place, copy, nil, min(Self.pieceByteCount, size - offset), 0)
      if count == 0 { return }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        // The file systems may be unable to do this, and errors of reading and writing have one number here.
        return try copyBytes(offset..<size, to: copy, target: target)
      }
      offset += count
    }
  }

  private func copyBytes(_ range: Range<Int>, to copy: CInt, target: String) throws(FileError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferByteCount, alignment: 16)
    defer { buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = pread(
        descriptor, buffer.baseAddress, min(buffer.count, range.upperBound - offset), off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(reading: path, errno) }
      if count == 0 { return }
      let code = CompleteWrite.write(buffer[..<count], to: copy)
      guard code == 0 else { throw FileError(writing: target, code) }
      offset += count
    }
  }
}
