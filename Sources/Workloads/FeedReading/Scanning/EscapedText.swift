/// The text of a string or a name between its quotes, with escapes that were checked by the scanner.
struct EscapedText {
  let start: UnsafePointer<UInt8>
  let count: Int

  /// The bytes with all escapes replaced.
  var unescaped: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, written in written = write(to: buffer) }
  }

  /// The string with all escapes replaced.
  var string: String {
    String(unsafeUninitializedCapacity: count) { buffer in write(to: buffer) }
  }

  /// Writes the bytes with all escapes replaced, which never take more room than the escapes.
  ///
  /// - Returns: The number of bytes.
  private func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var index = 0
    var written = 0
    while index < count {
      let byte = start[index]
      guard byte == UInt8(ascii: "\\") else {
        buffer[written] = byte
        written += 1
        index += 1
        continue
      }
      guard let scalar = scalar(at: &index) else { fatalError("an escape was checked and cannot be replaced") }
      for byte in UTF8.encode(scalar)! {
        buffer[written] = byte
        written += 1
      }
    }
    return written
  }

  /// Returns the scalar of the escape at a place, which is moved behind the escape.
  private func scalar(at index: inout Int) -> Unicode.Scalar? {
    let letter = start[index + 1]
    index += 2
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: return Unicode.Scalar(letter)
    }
    let first = codeUnit(at: &index)
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
    index += 2
    let second = codeUnit(at: &index)
    return Unicode.Scalar(0x1_0000 + ((UInt32(first) & 0x3ff) << 10 | UInt32(second) & 0x3ff))
  }

  private func codeUnit(at index: inout Int) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      unit = unit << 4 | (JSONBytes.hexadecimalValue(start[index]) ?? 0)
      index += 1
    }
    return unit
  }
}
