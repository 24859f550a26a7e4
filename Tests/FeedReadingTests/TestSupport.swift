import Foundation
import Testing
import Workloads

/// A value of a feed that is kept after the reader has moved on.
indirect enum KeptValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// An integer of more than 64 bits, as its text.
  case largeInteger(String)
  case double(Double)
  case string(String)
  case list([KeptValue])
  case object([String: KeptValue])

  init(_ value: FeedValue) {
    switch value {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .largeInteger(let number): self = .largeInteger(number.text)
    case .decimal(let number): self = .double(number.double)
    case .string(let text): self = .string(text.string)
    case .list(let list): self = .list(list.map(KeptValue.init))
    case .object(let object):
      self = .object(Dictionary(object.map { ($0.name.string, KeptValue($0.value)) }) { $1 })
    }
  }
}

extension KeptValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(stringLiteral value: String) { self = .string(value) }
}

/// A record that is kept after the reader has moved on.
struct KeptRecord: Hashable {
  var line: Int
  var offset: Int
  var names: [String]
  var values: [KeptValue]

  init(_ record: FeedRecord, _ reader: FeedReader) {
    line = record.line
    offset = record.offset
    names = record.members.map { reader.name(of: $0.id) }
    values = record.members.map { KeptValue($0.value) }
  }

  subscript(_ name: String) -> KeptValue? { names.firstIndex(of: name).map { values[$0] } }
}

/// Calls a function with the path of a file, which is removed afterwards.
func withFile<Result>(
  _ bytes: some Collection<UInt8>, name: String = "feed.json", _ body: (String) throws -> Result
) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "feed-reading-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appending(path: name)
  try Data(bytes).write(to: file)
  return try body(file.path(percentEncoded: false))
}

/// Returns the shape and all records of a feed.
func records(
  _ text: String, name: String = "feed.json", shape: FeedShape? = nil, limits: FeedLimits = FeedLimits()
) throws -> (shape: FeedShape, records: [KeptRecord]) {
  try withFile(text.utf8, name: name) { path in
    let reader = try FeedReader(path: path, shape: shape, limits: limits)
    var records: [KeptRecord] = []
    try reader.forEachRecord { record throws(FeedError) in records.append(KeptRecord(record, reader)) }
    return (reader.shape, records)
  }
}

/// Returns the error of reading a feed, with the path shortened to its name.
func feedError(
  _ bytes: some Collection<UInt8>, name: String = "feed.json", shape: FeedShape? = nil,
  limits: FeedLimits = FeedLimits()
) throws -> FeedError {
  try withFile(bytes, name: name) { path in
    var found = try #require(
      #expect(throws: FeedError.self) {
        try FeedReader(path: path, shape: shape, limits: limits).forEachRecord { _ in }
      })
    found.path = name
    return found
  }
}

/// Returns the text of the error of reading a feed, with the path shortened to its name.
func feedErrorText(
  _ text: String, name: String = "feed.json", shape: FeedShape? = nil, limits: FeedLimits = FeedLimits()
) throws -> String {
  try feedError(text.utf8, name: name, shape: shape, limits: limits).description
}
