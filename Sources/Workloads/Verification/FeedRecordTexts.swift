import Foundation

/// The texts of a feed's records, found in a file by a mapping's shape without any code of the feed's own reader.
struct FeedRecordTexts {
  /// A record's place in the text, and its name in a dictionary of records.
  struct Found {
    var name: Range<Int>?
    var range: Range<Int>
  }

  let text: Data
  private let file: MappedFile
  private let container: FeedShape.Container
  private var pieces: JSONPieces.Iterator
  /// The place of the next line, if each line is a record.
  private var line: Int
  /// The place of the only record, until it is returned.
  private var only: Range<Int>?

  /// Opens the text of a feed.
  ///
  /// - Parameters:
  ///   - path: The path of the feed.
  ///   - shape: The places of the records.
  ///   - nameOf: A function that returns the name that a part of the text stands for.
  /// - Throws: `VerificationError` if the file cannot be read, or if it has no such container.
  init(
    _ path: String, _ shape: FeedShape, nameOf: (String) throws(VerificationError) -> String?
  ) throws(VerificationError) {
    do {
      file = try MappedFile(URL(filePath: path))
      let data = file.data
      text = data.starts(with: [0xef, 0xbb, 0xbf]) ? data.dropFirst(3) : data
    } catch {
      throw VerificationError(
        message: "the feed cannot be read again: \(error.localizedDescription)", path: path, code: 0)
    }
    container = shape.container
    line = text.startIndex
    var start = text.startIndex
    var end = text.endIndex
    for name in shape.path {
      var members = JSONPieces(text).members(from: start)
      var found: Range<Int>?
      while found == nil, let piece = members.next() {
        let (place, value) = members.nameAndValue(in: piece)
        if try nameOf(String(decoding: text[place], as: UTF8.self)) == name { found = value }
      }
      guard let found else {
        throw VerificationError(message: "SQLite finds no member called \(name) in it", path: path, code: 0)
      }
      (start, end) = (found.lowerBound, found.upperBound)
    }
    only = start..<end
    pieces = JSONPieces(text).members(from: start)
  }

  /// Returns the next record, or nil after the last one.
  mutating func next() -> Found? {
    switch container {
    case .list: return pieces.next().map { Found(range: $0) }
    case .dictionary:
      while let member = pieces.next() {
        let (name, value) = pieces.nameAndValue(in: member)
        // Members that are not objects are not records.
        let first = text[value].first { !JSONPieces.isSpace($0) }
        if first == UInt8(ascii: "{") { return Found(name: name, range: value) }
      }
      return nil
    case .object:
      defer { only = nil }
      return only.map { Found(range: $0) }
    case .lines:
      while line < text.endIndex {
        let end = text[line...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
        let range = line..<end
        line = end + 1
        if !text[range].allSatisfy(JSONPieces.isSpace) { return Found(range: range) }
      }
      return nil
    }
  }

  /// Returns the text of a part of the feed.
  func string(_ range: Range<Int>) -> String {
    file.willRead(range.count)
    return String(decoding: text[range], as: UTF8.self)
  }
}
