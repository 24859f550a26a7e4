import Foundation
import Glibc
import Workloads

/// Reads a feed a second time, with SQLite's JSON functions, and compares its values with those of the payloads.
///
/// The payloads of a workload and the answer that stores are checked against come from one reading of the feed. A fault
/// of that reader would be in both, and no check of a store could find it. This check can find it, because it shares no
/// code with the reader.
///
/// SQLite ends a string at U+0000, so strings and names of members are compared up to there. Numbers inside nested
/// values, and numbers of members whose names contain a double quote, may differ by one unit in the last place. Records
/// of more than a megabyte are not compared, because SQLite would take many times their size in memory.
package struct FeedCheck {
  private let path: String
  private let archive: WorkloadArchive
  private let entity: WorkloadSchema.Entity
  private let text: Data
  private let reader: SQLiteFile
  /// The places of all records, each with true if it is a feature of a GeoJSON FeatureCollection.
  private var records: [(range: Range<Int>, isFeature: Bool)] = []

  private static let largestRecordByteCount = 1_000_000

  /// Compares a feed with the payloads that were made from it.
  ///
  /// Complexity: O(n) in the bytes of the feed. The check takes about as long as reading the feed and writing the
  /// payloads, and blocks the calling thread.
  /// - Parameters:
  ///   - path: The path of the feed.
  ///   - archive: The workload that was made from it.
  /// - Throws: `VerificationError` for the first value that differs, or if SQLite cannot read the feed.
  package static func check(_ path: String, against archive: WorkloadArchive) throws(VerificationError) {
    var check = try FeedCheck(path: path, archive: archive)
    check.records = try check.findRecords()
    try check.compare()
  }

  private init(path: String, archive: WorkloadArchive) throws(VerificationError) {
    self.path = path
    self.archive = archive
    entity = archive.schema.entities[0]
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      text = data.starts(with: [0xef, 0xbb, 0xbf]) ? data.dropFirst(3) : data
    } catch {
      throw VerificationError(
        message: "the feed cannot be read again: \(error.localizedDescription)", path: path, code: 0)
    }
    reader = try SQLiteFile.inMemory(toRead: path)
  }

  private func failure(_ message: String) -> VerificationError {
    VerificationError(message: message, path: path, code: 0)
  }
}

// MARK: - Comparing

extension FeedCheck {
  private func compare() throws(VerificationError) {
    let names = entity.attributes.map { $0.feedMember.map { MemberName($0.upToNull) } }
    let known = Dictionary(names.compactMap { name in name.map { ($0, 1) } }, uniquingKeysWith: +)
    var payloads = PayloadCursor(archive)
    for (index, record) in records.enumerated() where record.range.count <= Self.largestRecordByteCount {
      let second = try members(of: string(record.range), isFeature: record.isFeature)
      guard let first = try payloads.record(index) else { return }
      if let other = second.keys.filter({ known[$0] == nil }).min(by: { $0.text.bytesPrecede($1.text) }) {
        throw difference(index, other, .null, second[other] ?? .null)
      }
      for (name, value) in zip(names, first.values) {
        // An added key is not a member of the feed. SQLite returns one value for names that are equal up to U+0000.
        guard let name, known[name] == 1 else { continue }
        let other = second[name] ?? .null
        guard try isSame(value, other) else { throw difference(index, name, value, other) }
      }
    }
    guard try payloads.record(records.count) == nil else {
      throw failure("SQLite finds fewer records than the payloads hold")
    }
  }

  private func difference(
    _ index: Int, _ member: MemberName, _ first: FieldValue, _ second: SecondValue
  ) -> VerificationError {
    failure(
      "record \(index) (the first is 0): \(JSONValue.string(member.text).text) is read as \(first.text) by one reader and as "
        + "\(second.text) by SQLite; this is a fault of Stackbench and not of the feed")
  }

  private func isSame(_ first: FieldValue, _ second: SecondValue) throws(VerificationError) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.integer(let value), .number(let text)): strtoll(text, nil, 10) == value
    case (.double(let value), .number(let text)): strtod(text, nil) == value
    case (.integer(let value), .nearly(let number)): Double(value).isNearly(number)
    case (.double(let value), .nearly(let number)): value.isNearly(number)
    case (.boolean(let value), .boolean(let other)): value == other
    case (.string(let value), .string(let other)): value.upToNull.hasSameBytes(as: other)
    // An attribute with several types of values holds them as text.
    case (.string(let value), .boolean(let other)): value == "\(other)"
    case (.string(let value), .number(let text)): strtod(value, nil) == strtod(text, nil)
    case (.string(let value), .nearly(let number)): strtod(value, nil).isNearly(number)
    case (.string(let value), .nested(let text)): try isSame(nested: value, text)
    default: false
    }
  }

  /// Compares lists or objects by their JSON text, regardless of the order of members and the form of strings and
  /// numbers.
  private func isSame(nested first: String, _ second: String) throws(VerificationError) -> Bool {
    let left = try reader.elements(of: first)
    let right = try reader.elements(of: second)
    guard left.count == right.count else { return false }
    for (left, right) in zip(left, right) {
      guard left.name == right.name else { return false }
      switch (left.value, right.value) {
      case (.nested(let left), .nested(let right)): guard try isSame(nested: left, right) else { return false }
      case (.nearly(let left), .nearly(let right)): guard left.isNearly(right) else { return false }
      default: guard left.value == right.value else { return false }
      }
    }
    return true
  }
}

/// Decodes the records of all payloads, one payload after another.
private struct PayloadCursor {
  private let archive: WorkloadArchive
  private let decoder: PayloadDecoder
  private var payload = 0
  private var records: [ImportRecord] = []
  /// The place in the feed of the first of `records`.
  private var start = 0

  init(_ archive: WorkloadArchive) {
    self.archive = archive
    decoder = PayloadDecoder(schema: archive.schema)
  }

  /// Returns the record at a place in the feed, or nil if the payloads end before it. Places may only ascend.
  mutating func record(_ index: Int) throws(VerificationError) -> ImportRecord? {
    while index >= start + records.count {
      guard payload < archive.payloads.count else { return nil }
      start += records.count
      do {
        records = try decoder.decode(archive.payload(payload))
      } catch {
        throw VerificationError(message: "\(error)", path: archive.folder.path(percentEncoded: false), code: 0)
      }
      payload += 1
    }
    return records[index - start]
  }
}

// MARK: - Reading

/// A JSON value as SQLite reads it.
private enum SecondValue: Hashable {
  case null
  case boolean(Bool)
  /// A number, as its text in the feed.
  case number(String)
  /// A number as SQLite rounds it, which need not be the nearest double.
  case nearly(Double)
  /// A string up to U+0000.
  case string(String)
  /// A list or an object, as text.
  case nested(String)

  /// The value as text for a message.
  var text: String {
    switch self {
    case .null: "absent"
    case .boolean(let value): "\(value)"
    case .number(let text), .nested(let text): text
    case .nearly(let number): "\(number)"
    case .string(let string): JSONValue.string(string).text
    }
  }
}

extension FeedCheck {
  /// Returns the places of all records.
  private func findRecords() throws(VerificationError) -> [(range: Range<Int>, isFeature: Bool)] {
    if ["jsonl", "ndjson"].contains(path.split(separator: ".").last?.lowercased()) {
      return text.split(separator: UInt8(ascii: "\n")).filter { !$0.allSatisfy(JSONPieces.isSpace) }.map {
        ($0.startIndex..<$0.endIndex, false)
      }
    }
    let pieces = JSONPieces(text)
    guard text.first(where: { !JSONPieces.isSpace($0) }) == UInt8(ascii: "{") else {
      return pieces.elements(from: text.startIndex).map { ($0, false) }
    }
    guard let features = try places(ofMembersFrom: text.startIndex)["features"] else {
      throw failure("SQLite finds no member called features in it")
    }
    return pieces.elements(from: features.lowerBound).map { ($0, true) }
  }

  /// Returns the places of the values of an object's members, without reading them.
  private func places(ofMembersFrom start: Int) throws(VerificationError) -> [MemberName: Range<Int>] {
    let pieces = JSONPieces(text)
    var places: [MemberName: Range<Int>] = [:]
    for member in pieces.elements(from: start) {
      let (name, value) = pieces.nameAndValue(in: member)
      guard case .string(let text)? = try reader.elements(of: "[\(string(name))]").first?.value else { continue }
      places[MemberName(text)] = value
    }
    return places
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  private func members(of record: String, isFeature: Bool) throws(VerificationError) -> [MemberName: SecondValue] {
    var members = try reader.members(of: record)
    guard isFeature else { return members }
    members["type"] = nil
    if case .nested(let properties) = members.removeValue(forKey: "properties") {
      members.merge(try reader.members(of: properties)) { $1 }
    }
    return members
  }
}

extension SQLiteFile {
  /// Returns the members of an object, with the texts of numbers.
  fileprivate func members(of object: String) throws(VerificationError) -> [MemberName: SecondValue] {
    var members: [MemberName: SecondValue] = [:]
    try forEachRow(
      "SELECT key, type, value, CASE WHEN type IN ('integer', 'real') THEN ?1 -> fullkey END FROM json_each(?1)",
      with: object
    ) { (row) throws(VerificationError) in
      let text = row.string(3)
      members[MemberName(row.string(0))] = text.isEmpty ? row.jsonValue : .number(text)
      return true
    }
    return members
  }

  /// Returns the elements of a list, or the members of an object in the order of the bytes of their names.
  fileprivate func elements(of nested: String) throws(VerificationError) -> [(name: MemberName, value: SecondValue)] {
    var elements: [(name: MemberName, value: SecondValue)] = []
    var isObject = false
    try forEachRow("SELECT key, type, value FROM json_each(?1)", with: nested) { (row) throws(VerificationError) in
      isObject = !row.isNumber(0)
      elements.append((MemberName(row.string(0)), row.jsonValue))
      return true
    }
    return isObject ? elements.sorted { $0.name.text.bytesPrecede($1.name.text) } : elements
  }
}

extension SQLiteRow {
  /// The value of a row of `json_each` whose columns are key, type and value.
  fileprivate var jsonValue: SecondValue {
    switch string(1) {
    case "null": .null
    case "true": .boolean(true)
    case "false": .boolean(false)
    case "integer", "real": .nearly(double(2))
    case "text": .string(string(2))
    default: .nested(string(2))
    }
  }
}

extension Double {
  /// Returns true if the numbers are equal or adjacent doubles.
  fileprivate func isNearly(_ other: Double) -> Bool {
    self == other || nextUp == other || nextDown == other
  }
}

extension String {
  /// The string up to its first U+0000.
  fileprivate var upToNull: String {
    String(decoding: utf8.prefix { $0 != 0 }, as: UTF8.self)
  }
}
