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

  /// Returns an iterator of the places of the elements or members of the list or object that begins at `start` or after
  /// white space there.
  func members(from start: Int) -> Iterator { Iterator(text: text, index: start - text.startIndex) }

  /// An iterator of the places of elements or members. Each step takes time in proportion to the bytes that it passes.
  struct Iterator: IteratorProtocol {
    fileprivate let text: Data
    /// The place up to which the text was searched, from the start of the text.
    fileprivate var index: Int
    fileprivate var isInside = false
    fileprivate var isAtEnd = false

    mutating func next() -> Range<Int>? {
      guard !isAtEnd else { return nil }
      var depth = isInside ? 1 : 0
      var begin: Int?
      let end = text.withUnsafeBytes { bytes -> Int? in
        while index < bytes.count {
          let byte = bytes[index]
          index += 1
          switch byte {
          case UInt8(ascii: "\""):
            if begin == nil { begin = index - 1 }
            index = JSONPieces.end(ofStringAt: index - 1, bytes)
          case UInt8(ascii: "["), UInt8(ascii: "{"):
            if depth > 0, begin == nil { begin = index - 1 }
            depth += 1
          case UInt8(ascii: "]"), UInt8(ascii: "}"):
            depth -= 1
            if depth == 0 {
              isAtEnd = true
              return index - 1
            }
          case UInt8(ascii: ",") where depth == 1: return index - 1
          default:
            if depth > 0, begin == nil, !JSONPieces.isSpace(byte) { begin = index - 1 }
          }
        }
        return nil
      }
      isInside = true
      guard let begin, let end else {
        isAtEnd = true
        return nil
      }
      return text.startIndex + begin..<text.startIndex + end
    }

    /// Returns the places of the name and of the value of a member. The value's place begins right after the colon.
    func nameAndValue(in member: Range<Int>) -> (name: Range<Int>, value: Range<Int>) {
      let start = text.startIndex
      return text.withUnsafeBytes { bytes in
        let end = JSONPieces.end(ofStringAt: member.lowerBound - start, bytes)
        let colon = (end..<bytes.count).first { bytes[$0] == UInt8(ascii: ":") } ?? bytes.count - 1
        return (member.lowerBound..<start + end, colon + 1 + start..<member.upperBound)
      }
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
}
