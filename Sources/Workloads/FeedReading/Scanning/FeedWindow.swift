/// The part of a feed's file that is held in memory.
///
/// The bytes before `next` are given up when more of the file is read. If the bytes from `next` on fill the window, it
/// grows up to its largest size. Zero bytes follow the last byte, so that eight bytes can be loaded at each place, and
/// so that a scan stops there: no token of JSON contains a zero byte.
package final class FeedWindow {
  private let file: FeedFile
  private let maxByteCount: Int
  private var bytes: UnsafeMutablePointer<UInt8>
  package private(set) var capacity: Int
  /// The index of the next byte that has not been consumed.
  private var nextIndex = 0
  private var endIndex = 0
  /// The lines before `nextIndex` at the time of the last reading, and before the latest place that was asked for.
  private var baseCounter = LineCounter()
  private var lastCounter = LineCounter()
  /// True if the whole file has been read.
  private(set) var isAtEnd = false

  private static let padding = 16

  init(_ file: FeedFile, limits: FeedLimits) {
    self.file = file
    // One more byte shows that a value is larger than the limit.
    maxByteCount = max(limits.maxRecordBytes + 1, limits.windowBytes)
    capacity = limits.windowBytes
    bytes = FeedWindow.allocate(capacity)
  }

  deinit { bytes.deallocate() }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + padding)
    (bytes + capacity).initialize(repeating: 0, count: padding)
    bytes.initialize(repeating: 0, count: min(capacity, padding))
    return bytes
  }

  var path: String { file.path }
  /// The first byte that has not been consumed. The pointer is valid until more of the file is read.
  var next: UnsafePointer<UInt8> { UnsafePointer(bytes + nextIndex) }
  /// The place after the last byte in memory.
  var end: UnsafePointer<UInt8> { UnsafePointer(bytes + endIndex) }
  /// The number of bytes in memory that have not been consumed.
  var availableCount: Int { endIndex - nextIndex }
  /// The offset of `next` in the file.
  var offset: Int { baseCounter.offset + nextIndex }

  /// Consumes all bytes before a place in the window.
  func consume(upTo place: UnsafePointer<UInt8>) {
    nextIndex = place - UnsafePointer(bytes)
  }

  /// Moves to the beginning of the file.
  func rewind() throws(FeedError) {
    try file.rewind()
    nextIndex = 0
    endIndex = 0
    baseCounter = LineCounter()
    lastCounter = baseCounter
    isAtEnd = false
    terminate()
  }

  /// Reads more of the file, after the bytes that have not been consumed. Pointers into the window become invalid.
  ///
  /// - Returns: False if the whole file has been read before.
  func readMore() throws(FeedError) -> Bool {
    if isAtEnd { return false }
    makeRoom()
    let room = UnsafeMutableRawBufferPointer(start: bytes + endIndex, count: capacity - endIndex)
    let count = try file.read(into: room)
    endIndex += count
    isAtEnd = count == 0
    terminate()
    return count > 0
  }

  /// Gives up the consumed bytes. A window of which more than half is still needed grows, because small additions
  /// would be scanned again and again.
  private func makeRoom() {
    let count = availableCount
    baseCounter.advance(over: UnsafeBufferPointer(start: bytes, count: nextIndex))
    if lastCounter.offset < baseCounter.offset { lastCounter = baseCounter }
    if count > capacity / 2 || count == capacity, capacity < maxByteCount {
      capacity = min(maxByteCount, max(capacity * 2, 64))
      let larger = FeedWindow.allocate(capacity)
      larger.update(from: bytes + nextIndex, count: count)
      bytes.deallocate()
      bytes = larger
    } else if nextIndex > 0 {
      bytes.update(from: bytes + nextIndex, count: count)
    }
    nextIndex = 0
    endIndex = count
  }

  private func terminate() {
    (bytes + endIndex).update(repeating: 0, count: FeedWindow.padding)
  }
}

// MARK: - Places

extension FeedWindow {
  /// Returns the number of the line, and of the character in it, of a place in the window. Both are counted from 1.
  ///
  /// Asking for places in order takes O(size of the window) between two readings of the file.
  func place(of offset: Int) -> (line: Int, column: Int) {
    if offset < lastCounter.offset { lastCounter = baseCounter }
    let start = lastCounter.offset - baseCounter.offset
    lastCounter.advance(over: UnsafeBufferPointer(start: bytes + start, count: offset - lastCounter.offset))
    return (lastCounter.line, lastCounter.characterCount + 1)
  }

  /// Returns the offset in the file of a place in the window.
  func offset(of place: UnsafePointer<UInt8>) -> Int {
    baseCounter.offset + (place - UnsafePointer(bytes))
  }
}
