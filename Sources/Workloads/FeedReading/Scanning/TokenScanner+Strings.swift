// MARK: - Strings

extension TokenScanner {
  /// Scans a string or a name, beginning at its opening quote. Escapes are checked, but not replaced.
  ///
  /// - Parameter kind: The kind of a token without escapes.
  /// - Returns: False after a fault.
  @inline(__always)
  mutating func scanString(_ kind: Token.Kind) -> Bool {
    let first = next + 1
    var place = first
    var seenBits: UInt64 = 0
    var hasEscapes = false
    while true {
      let word = JSONBytes.word(at: place)
      let marks = JSONBytes.marksOfSpecialBytes(in: word)
      guard marks != 0 else {
        seenBits |= word
        place += 8
        continue
      }
      // The bytes before the first mark.
      seenBits |= word & ((marks & (0 &- marks)) &- 1) >> 7
      place += marks.trailingZeroBitCount >> 3
      if place.pointee == UInt8(ascii: "\"") { break }
      guard place.pointee == UInt8(ascii: "\\") else { return fail(.controlCharacter, at: place) }
      guard skipEscape(&place) else { return false }
      hasEscapes = true
    }
    if seenBits & 0x8080_8080_8080_8080 != 0, !UTF8Check.isValid(first, count: place - first) {
      return fail(.notUTF8, at: next)
    }
    let actual = hasEscapes ? (kind == .name ? Token.Kind.escapedName : .escapedString) : kind
    guard append(actual, from: first, length: place - first) else { return false }
    next = place + 1
    return true
  }

  /// Steps over an escape, beginning at its backslash.
  private mutating func skipEscape(_ place: inout UnsafePointer<UInt8>) -> Bool {
    let backslash = place
    switch place[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      place += 2
      return true
    case UInt8(ascii: "u"):
      place += 2
    default:
      return fail(.unknownEscape, at: place + 1)
    }
    guard let first = scanHexadecimalDigits(&place) else { return false }
    guard UTF16.isLeadSurrogate(first) || UTF16.isTrailSurrogate(first) else { return true }
    guard UTF16.isLeadSurrogate(first) else { return fail(.halfSurrogatePair, at: backslash) }
    for byte in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
      // The fault is at the end of the text if the text ends here, so that more text is read.
      guard place.pointee == byte else { return fail(.halfSurrogatePair, at: place.pointee == 0 ? place : backslash) }
      place += 1
    }
    guard let second = scanHexadecimalDigits(&place) else { return false }
    return UTF16.isTrailSurrogate(second) || fail(.halfSurrogatePair, at: backslash)
  }

  private mutating func scanHexadecimalDigits(_ place: inout UnsafePointer<UInt8>) -> UInt16? {
    var number: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = JSONBytes.hexadecimalValue(place.pointee) else {
        fail(.hexadecimalDigits, at: place)
        return nil
      }
      number = number << 4 | digit
      place += 1
    }
    return number
  }
}

/// A check of text for the encoding UTF-8.
package enum UTF8Check {
  /// Returns true if the bytes are UTF-8, by table 3-7 of the Unicode Standard.
  package static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    var index = 0
    while index < count {
      if index + 8 <= count, JSONBytes.word(at: bytes + index) & 0x8080_8080_8080_8080 == 0 {
        index += 8
        continue
      }
      let lead = bytes[index]
      index += 1
      if lead < 0x80 { continue }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xbf
      switch lead {
      case 0xc2...0xdf: length = 1
      case 0xe0: (length, second) = (2, 0xa0...0xbf)
      case 0xed: (length, second) = (2, 0x80...0x9f)
      case 0xe1...0xef: length = 2
      case 0xf0: (length, second) = (3, 0x90...0xbf)
      case 0xf4: (length, second) = (3, 0x80...0x8f)
      case 0xf1...0xf3: length = 3
      default: return false
      }
      guard index + length <= count, second.contains(bytes[index]) else { return false }
      for place in index + 1..<index + max(length, 1) where !(0x80...0xbf).contains(bytes[place]) { return false }
      index += length
    }
    return true
  }
}
