import Foundation
import Workloads

/// A way in which a feed is read.
enum Subject: CaseIterable {
  /// The reader, with the value of every member of each record.
  case reader
  /// The reader, without any value.
  case recordsOnly
  /// The summary of the feed.
  case summary
  /// Foundation's decoder, into an array of structures.
  case decoder

  var title: String {
    switch self {
    case .reader: "FeedReader, all values"
    case .recordsOnly: "FeedReader, records only"
    case .summary: "FeedSummary"
    case .decoder: "JSONDecoder"
    }
  }

  /// True if the checksum depends on all values.
  var readsValues: Bool { self == .reader || self == .decoder }

  /// Reads a feed and returns a checksum.
  func read(_ path: String) throws -> Int {
    switch self {
    case .reader: return try ValueReading.checksum(of: path)
    case .recordsOnly:
      var count = 0
      try FeedReader(path: path).forEachRecord { _ in count += 1 }
      return count
    case .summary: return try FeedSummary(of: FeedReader(path: path)).distinctIDs ?? 0
    case .decoder:
      let items = try JSONDecoder().decode([GeneratedItem].self, from: Data(contentsOf: URL(filePath: path)))
      return items.reduce(0) { $0 &+ $1.checksum }
    }
  }
}

/// A reading of a feed with the typed value of every member.
enum ValueReading {
  /// Returns a checksum of all values of the generated members.
  static func checksum(of path: String) throws -> Int {
    let reader = try FeedReader(path: path)
    guard let id = reader.memberID(of: "id"), let name = reader.memberID(of: "name"),
      let detail = reader.memberID(of: "detail"), let category = reader.memberID(of: "category"),
      let price = reader.memberID(of: "price"), let stock = reader.memberID(of: "stock"),
      let isActive = reader.memberID(of: "isActive"), let updatedAt = reader.memberID(of: "updatedAt")
    else { return 0 }
    var sum = 0
    try reader.forEachRecord { record throws(FeedError) in
      let item = GeneratedItem(
        id: integer(record[id]), name: string(record[name]), detail: string(record[detail]),
        category: string(record[category]), price: double(record[price]), stock: integer(record[stock]),
        isActive: boolean(record[isActive]), updatedAt: string(record[updatedAt]))
      sum &+= item.checksum
    }
    return sum
  }

  private static func integer(_ value: FeedValue?) -> Int {
    if case .integer(let integer) = value { Int(integer) } else { 0 }
  }

  private static func double(_ value: FeedValue?) -> Double {
    if case .decimal(let number) = value { number.double } else { 0 }
  }

  private static func string(_ value: FeedValue?) -> String {
    if case .string(let text) = value { text.string } else { "" }
  }

  private static func boolean(_ value: FeedValue?) -> Bool {
    if case .boolean(let boolean) = value { boolean } else { false }
  }
}
