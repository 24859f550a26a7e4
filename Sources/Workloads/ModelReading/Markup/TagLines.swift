import Foundation

/// The lines in which the start tags of an XML text begin, in the order of the text. The parser gives the lines in which
/// they end.
struct TagLines {
  private(set) var lines: [Int] = []
  /// The line of the first declaration, such as `<!ENTITY`, or nil if the text has no declaration.
  private(set) var declaration: Int?
  /// The line of the first processing instruction that has only a name, as `<?name?>`, or nil if there is none.
  private(set) var bareInstruction: Int?

  /// Scans a text. In a text that is not well-formed, the lines behind the first error have no meaning. O(bytes).
  init(_ text: Data) {
    text.withUnsafeBytes { bytes in
      var scan = Scan(bytes: bytes)
      while scan.moveToMarkup() {
        if scan.starts(with: "<!--") {
          scan.skip(past: "-->")
        } else if scan.starts(with: "<![CDATA[") {
          scan.skip(past: "]]>")
        } else if scan.starts(with: "<?") {
          let (start, line) = (scan.position, scan.line)
          scan.skip(past: "?>")
          if bareInstruction == nil, !bytes[start..<scan.position].contains(where: Self.isSpace) {
            bareInstruction = line
          }
        } else if scan.starts(with: "</") {
          scan.skip(past: ">")
        } else if scan.starts(with: "<!") {
          if declaration == nil { declaration = scan.line }
          scan.skip(past: ">")
        } else {
          lines.append(scan.line)
          scan.skipTag()
        }
      }
    }
  }

  static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

  private struct Scan {
    let bytes: UnsafeRawBufferPointer
    var position = 0
    var line = 1

    mutating func advance() {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }

    /// Moves to the next `<`. Returns false at the end of the text.
    mutating func moveToMarkup() -> Bool {
      while position < bytes.count, bytes[position] != UInt8(ascii: "<") { advance() }
      return position < bytes.count
    }

    func starts(with text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      guard position + count <= bytes.count else { return false }
      return (0..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    mutating func skip(past end: StaticString) {
      while position < bytes.count {
        if starts(with: end) {
          position += end.utf8CodeUnitCount
          return
        }
        advance()
      }
    }

    /// Moves behind a start tag, whose quoted values may contain `>`.
    mutating func skipTag() {
      var quote: UInt8?
      while position < bytes.count {
        let byte = bytes[position]
        advance()
        if let opening = quote {
          if byte == opening { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: ">") {
          return
        }
      }
    }
  }
}
