import Foundation

/// A feed as it was read: its records, each the members of one object, in order.
struct Feed: Sendable {
  var path: String
  var records: [[MemberName: JSONValue]]
  /// The line of each record, counted from 1, in a feed of an object a line; otherwise nil.
  private var lines: [Int]?

  /// Reads a feed by its name's extension: a list of objects, an object a line, or a GeoJSON FeatureCollection, which a
  /// `.json` file may hold too.
  ///
  /// A feature's `properties` are lifted beside its `id`, as is whatever else it holds (`geometry`); its `type`, which
  /// is always Feature, is left out. Where both have a member of one name, the property wins.
  /// - Throws: `WorkloadError` with the path, and the line where it is known.
  init(path: String) throws(WorkloadError) {
    self.path = path
    let text = try Feed.text(of: path)
    let isLines = ["jsonl", "ndjson"].contains(path.split(separator: ".").last?.lowercased())
    if isLines {
      let found = try Feed.lines(text, path)
      records = found.map(\.members)
      lines = found.map(\.line)
    } else {
      records = try Feed.document(text, path)
    }
    guard !records.isEmpty else {
      throw WorkloadError(.damagedFeed, "the feed holds no records; it must hold at least one object", path: path)
    }
  }

  private static func text(of path: String) throws(WorkloadError) -> Data {
    let text: Data
    do {
      text = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
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

  /// Returns the error that a record's value is answered with.
  func error(inRecord index: Int, _ message: String) -> WorkloadError {
    guard let lines else {
      return WorkloadError(.damagedFeed, "record \(index) (the first is 0): \(message)", path: path)
    }
    return WorkloadError(.damagedFeed, message, path: path, line: lines[index])
  }
}

// MARK: - One document

extension Feed {
  private static func document(_ text: Data, _ path: String) throws(WorkloadError) -> [[MemberName: JSONValue]] {
    let value: JSONValue
    do {
      value = try JSONReader.value(of: text)
    } catch {
      throw WorkloadError(error, text, line: 1, path)
    }
    if case .object(let collection) = value {
      return try features(of: collection, path)
    }
    guard case .array(let elements) = value else {
      throw WorkloadError(.damagedFeed, "the feed is \(value.kindName); use a list of objects", path: path)
    }
    var records: [[MemberName: JSONValue]] = []
    for (index, element) in elements.enumerated() {
      guard case .object(let members) = element else {
        throw WorkloadError(
          .damagedFeed, "record \(index) (the first is 0) is \(element.kindName); every record must be an object",
          path: path)
      }
      records.append(members)
    }
    return records
  }

  private static func features(
    of collection: [MemberName: JSONValue], _ path: String
  ) throws(WorkloadError) -> [[MemberName: JSONValue]] {
    guard case .string(let type) = collection["type"], type == "FeatureCollection" else {
      throw WorkloadError(
        .damagedFeed, "the feed is one object; use a list of objects, or a GeoJSON FeatureCollection", path: path)
    }
    guard case .array(let features) = collection["features"] else {
      throw WorkloadError(.damagedFeed, "the FeatureCollection has no list called features", path: path)
    }
    var records: [[MemberName: JSONValue]] = []
    for (index, feature) in features.enumerated() {
      guard case .object(var members) = feature else {
        throw WorkloadError(
          .damagedFeed, "feature \(index) (the first is 0) is \(feature.kindName); every feature must be an object",
          path: path)
      }
      members["type"] = nil
      switch members.removeValue(forKey: "properties") {
      case .object(let properties): members.merge(properties) { $1 }
      case .null, nil: break
      case .some(let other):
        throw WorkloadError(
          .damagedFeed, "the properties of feature \(index) (the first is 0) are \(other.kindName); use an object",
          path: path)
      }
      records.append(members)
    }
    return records
  }
}

// MARK: - An object a line

extension Feed {
  private static func lines(
    _ text: Data, _ path: String
  ) throws(WorkloadError) -> [(line: Int, members: [MemberName: JSONValue])] {
    var records: [(line: Int, members: [MemberName: JSONValue])] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.allSatisfy(JSONReader.isSpace) {
      let value: JSONValue
      do {
        value = try JSONReader.value(of: line)
      } catch {
        throw WorkloadError(error, line, line: index + 1, path)
      }
      guard case .object(let members) = value else {
        throw WorkloadError(
          .damagedFeed, "the line is \(value.kindName); every line must be an object", path: path, line: index + 1)
      }
      records.append((index + 1, members))
    }
    return records
  }
}

// MARK: - Errors

extension WorkloadError {
  /// Adds the file, the line, the column and the record to an error of the reader.
  ///
  /// - Parameters:
  ///   - text: the text that was read.
  ///   - line: the line that the text begins on.
  fileprivate init(_ error: JSONReadingError, _ text: Data, line: Int, _ path: String) {
    let before = text.prefix(error.offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    let column = 1 + before[lineStart...].count { !UTF8.isContinuation($0) }
    var message = (error.isSyntax ? "not JSON: " : "") + error.sentence
    // A text that ends too early is wrong at its end.
    if error.offset < text.count { message += ", column \(column)" }
    message += Self.place(error.path)
    self.init(.damagedFeed, message, path: path, line: line + before.count { $0 == UInt8(ascii: "\n") })
  }

  /// Names the record that a path leads into, and the first members and elements from there on.
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
      case .member(let name): names.append("member \(JSONValue.string(name).text)")
      }
    }
    return names.isEmpty ? "" : " (in \(names.joined(separator: ", ")))"
  }
}

extension JSONValue {
  /// What the value is, in a sentence.
  fileprivate var kindName: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .double: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
