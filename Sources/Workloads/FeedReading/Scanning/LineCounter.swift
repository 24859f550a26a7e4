/// A place in a file, with the number of its line.
///
/// The counter is advanced over the bytes of the file in order. It reads eight bytes at a time, because it reads all
/// bytes of a feed.
package struct LineCounter {
  /// The offset in the file up to which the lines are counted.
  package private(set) var offset = 0
  /// The number of the line, counted from 1.
  package private(set) var line = 1
  /// The number of characters of the line before the offset.
  package private(set) var characterCount = 0

  package init() {}

  /// Advances over the next bytes of the file.
  package mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    offset += bytes.count
    let newlines = Self.count(start, count: bytes.count) { Self.marksOfEqualBytes(in: $0, to: UInt8(ascii: "\n")) }
    guard newlines > 0 else {
      characterCount += Self.characterCount(start, count: bytes.count)
      return
    }
    line += newlines
    var last = bytes.count
    while start[last - 1] != UInt8(ascii: "\n") { last -= 1 }
    characterCount = Self.characterCount(start + last, count: bytes.count - last)
  }

  /// Returns the number of bytes that are not continuation bytes of UTF-8, which have the form 10xxxxxx.
  private static func characterCount(_ start: UnsafePointer<UInt8>, count: Int) -> Int {
    count - Self.count(start, count: count) { word in word & ~(word << 1) & 0x8080_8080_8080_8080 }
  }

  /// Returns the number of marks in all words of some bytes. A mark is the highest bit of a byte.
  @inline(__always)
  private static func count(
    _ start: UnsafePointer<UInt8>, count: Int, marks: (UInt64) -> UInt64
  ) -> Int {
    var found = 0
    var index = 0
    while index + 8 <= count {
      // Each byte of the sum counts the marks of its place, at most 255.
      var sum: UInt64 = 0
      let end = min(count - 8, index + 254 * 8)
      while index <= end {
        sum &+= marks(UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self)) >> 7
        index += 8
      }
      let pairs = (sum & 0x00ff_00ff_00ff_00ff) &+ (sum >> 8 & 0x00ff_00ff_00ff_00ff)
      found += Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }
    while index < count {
      // Seven zero bytes follow, which have no mark.
      found += marks(UInt64(start[index])).nonzeroBitCount
      index += 1
    }
    return found
  }

  /// Returns a word with the highest bit set of each byte that equals `byte`.
  @inline(__always)
  private static func marksOfEqualBytes(in word: UInt64, to byte: UInt8) -> UInt64 {
    let difference = word ^ (0x0101_0101_0101_0101 &* UInt64(byte))
    // A sum within seven bits carries into no other byte, so each byte is tested by itself.
    let low = (difference & 0x7f7f_7f7f_7f7f_7f7f) &+ 0x7f7f_7f7f_7f7f_7f7f
    return ~(low | difference) & 0x8080_8080_8080_8080
  }
}
