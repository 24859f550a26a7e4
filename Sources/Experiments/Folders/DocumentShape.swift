import Foundation
import Workloads

/// A check of a JSON document whose records are below names: a feed consists mainly of records, while the settings of a
/// tool have a few lists among other values.
struct DocumentShape {
  /// The largest size of a document that is checked, in bytes. Larger ones are feeds.
  static let largestSize = 16 << 20

  /// The members that the outermost objects of files of tools have, such as those of package managers, compilers,
  /// schemas and descriptions of servers.
  private static let toolMembers: Set = [
    "$schema", "compilerOptions", "dependencies", "devDependencies", "lockfileVersion", "openapi", "pins", "swagger",
  ]

  /// True if the document is a feed.
  let isFeed: Bool

  /// Checks a document.
  ///
  /// - Parameters:
  ///   - data: The text of the document.
  ///   - shape: The places of its records.
  init(_ data: Data, shape: FeedShape) {
    guard let outermost = try? JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed]),
      let members = outermost as? [String: Any]
    else {
      // The reader of feeds accepts numbers that Foundation does not.
      isFeed = true
      return
    }
    var records = outermost
    for name in shape.path {
      guard let inner = (records as? [String: Any])?[name] else { break }
      records = inner
    }
    isFeed =
      Self.toolMembers.isDisjoint(with: members.keys) && Self.leafCount(records) * 2 >= Self.leafCount(outermost)
  }

  /// Returns the number of values in a value that are neither lists nor objects.
  private static func leafCount(_ value: Any) -> Int {
    if let list = value as? [Any] { return list.map(leafCount).reduce(0, +) }
    if let members = value as? [String: Any] { return members.values.map(leafCount).reduce(0, +) }
    return 1
  }
}
