/// Properties of single bytes of JSON text, and of eight bytes at a time.
enum JSONBytes {
  /// Returns true for the four bytes that JSON allows as white space between its tokens.
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Returns the value of a hexadecimal digit, or nil for another byte.
  static func hexadecimalValue(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Returns eight bytes, the first of which becomes the lowest byte of the word.
  @inline(__always)
  static func word(at place: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  /// Returns a word whose lowest mark is at the first byte that ends a run of plain characters in a string: a quote, a
  /// backslash or a control character. A mark is the highest bit of a byte.
  ///
  /// Marks after the first one may be wrong, because subtractions borrow from higher bytes.
  @inline(__always)
  static func marksOfSpecialBytes(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let marks =
      (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word
    return marks & 0x8080_8080_8080_8080
  }
}
