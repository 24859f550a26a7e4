import Foundation

/// A feed as it was read: its records, each the members of one object, in order.
struct Feed: Sendable {
  var path: String
  var records: [[String: JSONValue]]

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
    records = isLines ? try Feed.lines(text, path) : try Feed.document(text, path)
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
    guard text.contains(where: { !isSpace($0) }) else {
      throw WorkloadError(.damagedFeed, "the feed is empty; it must hold at least one object", path: path)
    }
    return text
  }
}

// MARK: - One document

extension Feed {
  private static func document(_ text: Data, _ path: String) throws(WorkloadError) -> [[String: JSONValue]] {
    let value: JSONValue
    do {
      value = try JSONValue(reading: text)
    } catch {
      let fault = JSONFault(error)
      // Text that ends too early ends on its last line.
      let sound = fault.offset.map { text.prefix($0) } ?? text
      let line = 1 + sound.count { $0 == UInt8(ascii: "\n") }
      throw WorkloadError(.damagedFeed, "not JSON: \(fault.sentence)", path: path, line: line)
    }
    if case .object(let collection) = value {
      return try features(of: collection, path)
    }
    guard case .array(let elements) = value else {
      throw WorkloadError(.damagedFeed, "the feed is \(value.kindName); use a list of objects", path: path)
    }
    var records: [[String: JSONValue]] = []
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
    of collection: [String: JSONValue], _ path: String
  ) throws(WorkloadError) -> [[String: JSONValue]] {
    guard collection["type"] == .string("FeatureCollection") else {
      throw WorkloadError(
        .damagedFeed, "the feed is one object; use a list of objects, or a GeoJSON FeatureCollection", path: path)
    }
    guard case .array(let features) = collection["features"] else {
      throw WorkloadError(.damagedFeed, "the FeatureCollection has no list called features", path: path)
    }
    var records: [[String: JSONValue]] = []
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
  private static func lines(_ text: Data, _ path: String) throws(WorkloadError) -> [[String: JSONValue]] {
    var records: [[String: JSONValue]] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.allSatisfy(isSpace) {
      let value: JSONValue
      do {
        value = try JSONValue(reading: Data(line))
      } catch {
        throw WorkloadError(.damagedFeed, "not JSON: \(JSONFault(error).sentence)", path: path, line: index + 1)
      }
      guard case .object(let members) = value else {
        throw WorkloadError(
          .damagedFeed, "the line is \(value.kindName); every line must be an object", path: path, line: index + 1)
      }
      records.append(members)
    }
    return records
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
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
