import CSQLite
import ContextEngine
import Glibc
import MachineCore

/// The content of a file that is kept in memory while a store is open, so that SQLite reads and writes it without calls
/// of the system.
///
/// All connections of this process that open the path share the image. Locks and the index of a write-ahead log stay
/// those of the file.
final class FileImage: Sendable {
  let path: String
  private let content: Guarded<[UInt8]>

  private init(path: String, content: [UInt8]) {
    self.path = path
    self.content = Guarded(content)
  }

  var count: Int { content.withLock { $0.count } }

  /// Copies bytes, and fills up with zeros at the end of the file.
  ///
  /// - Returns: SQLite's result code.
  func read(into buffer: UnsafeMutableRawPointer?, count: Int, at offset: Int) -> Int32 {
    let target = UnsafeMutableRawBufferPointer(start: buffer, count: count)
    return content.withLock { content in
      let end = min(offset + count, content.count)
      if offset < end {
        content.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<end])) }
      }
      guard end < offset + count else { return ResultCode.ok }
      UnsafeMutableRawBufferPointer(rebasing: target[max(0, end - offset)...]).initializeMemory(
        as: UInt8.self, repeating: 0)
      return ResultCode.shortRead
    }
  }

  /// Writes bytes, also beyond the end of the file.
  func write(_ buffer: UnsafeRawPointer?, count: Int, at offset: Int) {
    let source = UnsafeRawBufferPointer(start: buffer, count: count)
    content.withLock { content in
      if offset > content.count { content += repeatElement(0, count: offset - content.count) }
      let known = UnsafeRawBufferPointer(rebasing: source[..<min(count, content.count - offset)])
      content.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyMemory(from: known) }
      content.append(contentsOf: source[known.count...])
    }
  }

  func truncate(to size: Int) {
    content.withLock { content in
      if size < content.count { content.removeLast(content.count - size) }
    }
  }
}

// MARK: - The open files

extension FileImage {
  /// The images of the files that are open, or closed and not written yet, with the numbers of their open handles.
  private static let images = Guarded<[String: (image: FileImage, openCount: Int)]>([:])

  /// Opens the image of a file, whose content `read` returns if no image of it exists.
  static func open(_ path: String, read: () -> [UInt8]) -> FileImage {
    images.withLock { images in
      let image = images[path]?.image ?? FileImage(path: path, content: read())
      images[path] = (image, (images[path]?.openCount ?? 0) + 1)
      return image
    }
  }

  func close() {
    Self.images.withLock { images in
      // The path may name another file by now.
      if images[path]?.image === self { images[path]?.openCount -= 1 }
    }
  }

  /// Returns the size of a file that has an image, or nil if it has none.
  static func size(of path: String) -> Int? {
    images.withLock { $0[path]?.image.count }
  }

  /// Forgets the image of a file that is deleted.
  static func remove(_ path: String) {
    images.withLock { $0[path] = nil }
  }

  /// Forgets the images of closed files, after their contents were written to the files if `writes` is true.
  ///
  /// - Throws: SQLite's error for a file that cannot be written.
  static func release(_ paths: [String], writing writes: Bool) throws(PersistenceError) {
    for path in paths {
      let closed = images.withLock { images in
        images[path]?.openCount == 0 ? images.removeValue(forKey: path)?.image : nil
      }
      guard writes, let closed else { continue }
      let code = closed.content.withLock { write($0, to: path) }
      guard code == 0 else {
        throw PersistenceError(
          sqliteCode: code == ENOSPC || code == EDQUOT ? ResultCode.full : ResultCode.notWritten,
          reason: String(cString: strerror(code)), doing: "writing the file", path: path)
      }
    }
  }

  /// Replaces the content of a file, and returns the system's error number, or 0.
  private static func write(_ content: [UInt8], to path: String) -> Int32 {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return errno }
    defer { Glibc.close(file) }
    return CompleteWrite.write(content, to: file)
  }
}
