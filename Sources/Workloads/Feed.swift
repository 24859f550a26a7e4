import Foundation
import MachineCore

/// A feed: a file of records in order. Each record has the members of one object.
///
/// The file is read into memory, and each access to a record reads it from the text again. Keeping a few million small
/// dictionaries would take many times the memory of their text.
struct Feed: Sendable {
  /// The form of the file.
  private enum Form {
    /// A list of objects.
    case list
    /// A GeoJSON FeatureCollection.
    case features
    /// An object on each line.
    case lines
  }

  let path: String
  /// The kinds of values that each member has in the records.
  let kinds: [MemberName: MemberKinds]
  private let text: Data
  /// The place of the first byte of each record.
  private let offsets: [Int]
  private let form: Form

  /// The number of records.
  var count: Int { offsets.count }

  /// The size of the largest feed, which is held in memory while the workload is prepared.
  static let largestByteCount = 1_000_000_000
  /// The largest number of records. The rows that a store must hold in the end are kept in memory, at about 300 bytes
  /// each.
  static let largestRecordCount = 2_000_000

  /// Reads a feed in the form that the extension of its name gives: a list of objects, one object per line, or a
  /// GeoJSON FeatureCollection, which a `.json` file may contain too.
  ///
  /// The record of a feature has the members of its `properties` and the feature's other members, such as `id` and
  /// `geometry`. If both have a member of the same name, the property is used. The feature's `type`, which is always
  /// Feature, is left out.
  ///
  /// - Throws: `WorkloadError` with the path, and with the line if it is known.
  init(path: String) throws(WorkloadError) {
    self.path = path
    text = try Feed.text(of: path)
    var scan = FeedScan()
    let isLines = ["jsonl", "ndjson"].contains(path.split(separator: ".").last?.lowercased())
    if isLines {
      form = .lines
      try Feed.readLines(of: text, path, into: &scan)
    } else {
      form = try Feed.readDocument(text, path, into: &scan) ? .features : .list
    }
    guard !scan.offsets.isEmpty else {
      throw WorkloadError(.damagedFeed, "the feed holds no records; it must hold at least one object", path: path)
    }
    offsets = scan.offsets
    kinds = scan.kinds
  }

  /// Returns the members of a record.
  func record(_ index: Int) -> [MemberName: JSONValue] {
    let members = try? JSONReader.read(text, from: offsets[index]) {
      (reader: inout JSONReader) throws(JSONReadingError) in
      form == .features ? try reader.feature().members : try reader.members()
    }
    guard let members else { fatalError("\(path): record \(index) was read before and cannot be read again") }
    return members
  }

  /// Returns an error about a value of a record, with the place of the record.
  func error(inRecord index: Int, _ message: String) -> WorkloadError {
    guard form == .lines else {
      return WorkloadError(.damagedFeed, "record \(index) (the first is 0): \(message)", path: path)
    }
    let line = 1 + text.prefix(offsets[index]).count { $0 == UInt8(ascii: "\n") }
    return WorkloadError(.damagedFeed, message, path: path, line: line)
  }
}

// MARK: - The file

extension Feed {
  private static func text(of path: String) throws(WorkloadError) -> Data {
    let text: Data
    do {
      let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
      let size = (try FileManager.default.attributesOfItem(atPath: target)[.size] as? Int) ?? 0
      guard size <= largestByteCount else {
        throw WorkloadError(
          .damagedFeed, "the feed has \(size) bytes; use at most \(largestByteCount), because it is held in memory",
          path: path)
      }
      text = try Data(contentsOf: URL(filePath: path))
    } catch let error as WorkloadError {
      throw error
    } catch {
      let reason = FileFault(error).sentence
      throw WorkloadError(.unreadableFile, "the feed cannot be read: \(reason)", path: path)
    }
    guard text.contains(where: { !JSONReader.isSpace($0) }) else {
      throw WorkloadError(.damagedFeed, "the feed is empty; it must hold at least one object", path: path)
    }
    guard !text.starts(with: [0xfe, 0xff]), !text.starts(with: [0xff, 0xfe]) else {
      throw WorkloadError(.damagedFeed, "the feed is not UTF-8 but UTF-16 or UTF-32; use UTF-8", path: path)
    }
    return text.starts(with: byteOrderMark) ? text.dropFirst(byteOrderMark.count) : text
  }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// Reads one list or one FeatureCollection.
  ///
  /// - Returns: True for a FeatureCollection.
  private static func readDocument(
    _ text: Data, _ path: String, into scan: inout FeedScan
  ) throws(WorkloadError) -> Bool {
    var found = FeedScan.Document()
    do {
      try JSONReader.readAll(of: text) { (reader: inout JSONReader) throws(JSONReadingError) in
        found = try scan.readDocument(&reader)
      }
    } catch {
      throw WorkloadError(error, text, line: 1, path)
    }
    if let flaw = found.flaw ?? scan.flaw { throw WorkloadError(.damagedFeed, flaw, path: path) }
    return found.isCollection
  }

  /// Reads one object from each line. Lines that contain only white space are skipped.
  private static func readLines(
    of text: Data, _ path: String, into scan: inout FeedScan
  ) throws(WorkloadError) {
    var start = text.startIndex
    var number = 0
    while start <= text.endIndex {
      number += 1
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      let line = text[start..<end]
      if !line.allSatisfy(JSONReader.isSpace) {
        do {
          try JSONReader.readAll(of: line) { (reader: inout JSONReader) throws(JSONReadingError) in
            try scan.readLine(&reader, offset: start - text.startIndex)
          }
        } catch {
          throw WorkloadError(error, line, line: number, path)
        }
        if let flaw = scan.flaw { throw WorkloadError(.damagedFeed, flaw, path: path, line: number) }
      }
      start = end + 1
    }
  }
}

// MARK: - Errors

extension WorkloadError {
  /// Adds the file, the line, the column and the record to an error of the reader.
  ///
  /// - Parameters:
  ///   - error: The error of the reader.
  ///   - text: The text that was read.
  ///   - line: The number of the line that the text begins on.
  ///   - path: The path of the file.
  fileprivate init(_ error: JSONReadingError, _ text: Data, line: Int, _ path: String) {
    let before = text.prefix(error.offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    let column = 1 + before[lineStart...].count { !UTF8.isContinuation($0) }
    var message = (error.isSyntax ? "not JSON: " : "") + error.sentence
    // If the text ends too early, the error is at its end, and the message gives no column.
    if error.offset < text.count { message += ", column \(column)" }
    message += Self.place(error.path)
    self.init(.damagedFeed, message, path: path, line: line + before.count { $0 == UInt8(ascii: "\n") })
  }

  /// Describes the record that a path leads into, and the first few members and elements after it.
  private static func place(_ path: [JSONReadingError.Step]) -> String {
    var names: [String] = []
    for (depth, step) in path.enumerated() {
      guard depth < 6 else {
        names.append("…")
        break
      }
      switch step {
      case .element(let index) where depth == 0: names.append("record \(index) (the first is 0)")
      case .element(let index): names.append("element \(index)")
      case .member(let name): names.append("member \(JSONValue.string(QuotedText.of(name)).text)")
      }
    }
    return names.isEmpty ? "" : " (in \(names.joined(separator: ", ")))"
  }
}
