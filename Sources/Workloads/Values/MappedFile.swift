import Foundation
import Glibc
import MachineCore

/// The bytes of a file, mapped into memory and not on the heap.
///
/// The pages of a large file that were read are part of the memory of the process until they are released, which
/// happens whenever a number of bytes were read. They are read again when they are used.
struct MappedFile: Sendable {
  let data: Data
  /// The pages of a large file, or nil for another file.
  private let pages: Pages?

  /// The number of bytes of a large file, and of the bytes that are read of it before pages are released.
  private static let largeByteCount = 8 << 20

  // `@unchecked Sendable`: the pages are only read.
  private final class Pages: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let byteCount: Int
    let readCount = Guarded(0)

    init?(_ path: String, byteCount: Int) {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      guard let start = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else { return nil }
      self.start = start
      self.byteCount = byteCount
    }

    deinit { munmap(start, byteCount) }
  }

  /// Maps a file.
  ///
  /// - Throws: Foundation's error if the file cannot be read.
  init(_ file: URL) throws {
    let mapped = try Data(contentsOf: file, options: .alwaysMapped)
    pages =
      mapped.count < Self.largeByteCount
      ? nil : Pages(file.path(percentEncoded: false), byteCount: mapped.count)
    guard let pages else {
      data = mapped
      return
    }
    data = Data(
      bytesNoCopy: pages.start, count: pages.byteCount, deallocator: .custom { _, _ in withExtendedLifetime(pages) {} })
  }

  /// Notes that bytes are about to be read, and releases the pages that were read before if they are many.
  func willRead(_ byteCount: Int) {
    guard let pages else { return }
    let isDue = pages.readCount.withLock { count in
      count += byteCount
      guard count >= Self.largeByteCount else { return false }
      count = 0
      return true
    }
    if isDue { madvise(pages.start, pages.byteCount, MADV_DONTNEED) }
  }
}
