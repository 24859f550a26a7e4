import Foundation

/// Finds where the elements of a list and the members of an object begin and end in JSON text, without reading them.
struct JSONPieces {
  private let text: Data

  /// - Parameter text: Text that is known to be JSON. The results for any other text are meaningless.
  init(_ text: Data) {
    self.text = text
  }

  /// Returns true for the four bytes that JSON allows as white space between its tokens.
  static func isSpace(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0a, 0x0d].contains(byte)
  }

  /// Returns the places of the elements or members of the list or object that begins at `start` or after white space
  /// there.
  ///
  /// Complexity: O(n) in the bytes.
  func elements(from start: Int) -> [Range<Int>] {
    text.withUnsafeBytes { bytes in
      var elements: [Range<Int>] = []
      var depth = 0
      var begin: Int?
      var index = start - text.startIndex
      while index < bytes.count {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "\""):
          if begin == nil { begin = index }
          index = Self.end(ofStringAt: index, bytes) - 1
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          if depth > 0, begin == nil { begin = index }
          depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          depth -= 1
          if depth == 0 {
            if let begin { elements.append(range(begin, index)) }
            return elements
          }
        case UInt8(ascii: ",") where depth == 1:
          if let begin { elements.append(range(begin, index)) }
          begin = nil
        default:
          if depth > 0, begin == nil, !Self.isSpace(byte) { begin = index }
        }
        index += 1
      }
      return elements
    }
  }

  /// Returns the places of the name and of the value of a member. The value's place begins right after the colon.
  func nameAndValue(in member: Range<Int>) -> (name: Range<Int>, value: Range<Int>) {
    text.withUnsafeBytes { bytes in
      let end = Self.end(ofStringAt: member.lowerBound - text.startIndex, bytes)
      let colon = (end..<bytes.count).first { bytes[$0] == UInt8(ascii: ":") } ?? bytes.count - 1
      return (range(member.lowerBound - text.startIndex, end), colon + 1 + text.startIndex..<member.upperBound)
    }
  }

  /// Returns the offset after the closing quote of a string.
  private static func end(ofStringAt start: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  private func range(_ start: Int, _ end: Int) -> Range<Int> {
    text.startIndex + start..<text.startIndex + end
  }
}
