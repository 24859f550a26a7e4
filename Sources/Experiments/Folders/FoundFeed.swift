import Foundation
import Workloads

/// A feed in a folder, and its fit with a model.
struct FoundFeed {
  /// The largest size of a feed that is matched with models, in bytes.
  static let largestSize = 128 << 20

  /// The fit of a feed with a model, or with a model that is inferred from it.
  struct Fit {
    /// The number of records.
    var recordCount: Int
    /// The number of records that can be imported.
    var usableCount: Int
    /// The number of properties that a member of the records sets.
    var mappedCount: Int
    /// The number of members that no property takes.
    var unmatchedCount: Int
    /// The number of entities that get rows.
    var entityCount: Int

    /// Returns true if this model fits the feed better than the model of another fit: all records can be imported, or
    /// more members set properties and fewer are left over.
    func hasBetterModel(than other: Fit) -> Bool {
      func ranks(_ fit: Fit) -> [Int] {
        [fit.isComplete ? 1 : 0, fit.mappedCount - fit.unmatchedCount, fit.entityCount]
      }
      return ranks(other).lexicographicallyPrecedes(ranks(self))
    }

    /// Returns true if this feed is a better choice than the feed of another fit: all records can be imported, most
    /// members set properties, more entities get rows, or there are more records.
    func hasBetterFeed(than other: Fit) -> Bool {
      func ranks(_ fit: Fit) -> [Int] {
        [fit.isComplete ? 1 : 0, fit.mappedCount >= fit.unmatchedCount ? 1 : 0, fit.entityCount, fit.recordCount]
      }
      return ranks(other).lexicographicallyPrecedes(ranks(self))
    }

    private var isComplete: Bool { usableCount == recordCount }

    /// The fit in a few words.
    func remark(hasModel: Bool) -> String {
      var parts = [counted(recordCount, "record")]
      if hasModel { parts.append("\(mappedCount) of \(mappedCount + unmatchedCount) members set a property") }
      if usableCount < recordCount {
        parts.append("\(recordCount - usableCount) do not fit, so add on-bad-record: skip")
      }
      return parts.joined(separator: "; ")
    }
  }

  /// The path relative to the folder.
  let path: String
  /// The path by which the feed is read.
  let place: String
  private let byteCount: Int

  /// Examines a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file relative to the folder.
  ///   - place: The path by which the file is read.
  /// - Returns: The feed, or nil if the file is JSON of another kind, such as the settings of a tool.
  /// - Throws: `FeedError` if the file cannot be read as a feed.
  static func feed(_ path: String, at place: String) throws(FeedError) -> FoundFeed? {
    let reader: FeedReader
    do throws(FeedError) {
      reader = try FeedReader(path: place)
    } catch {
      guard error.code != .shape, error.code != .empty else { return nil }
      throw error
    }
    // A file with one object is rather the settings of a tool.
    guard reader.shape.container != .object else { return nil }
    var count = 0
    while count < 2, try reader.next() != nil { count += 1 }
    // A single object under a name is rather a part of a file of another kind.
    let isWhole = reader.shape.container != .dictionary && reader.shape.path.isEmpty
    guard count >= (isWhole ? 1 : 2) else { return nil }
    let size = ((try? FileManager.default.attributesOfItem(atPath: place)[.size]) as? NSNumber)?.intValue ?? 0
    if !isWhole, size <= DocumentShape.largestSize, let data = FileManager.default.contents(atPath: place),
      !DocumentShape(data, shape: reader.shape).isFeed
    {
      return nil
    }
    return FoundFeed(path: path, place: place, byteCount: size)
  }

  /// True if the feed is too large to be matched with models.
  var isLarge: Bool { byteCount > Self.largestSize }

  /// Returns the fit with a model.
  ///
  /// - Parameter model: The path of the model, or nil to infer one.
  /// - Returns: The fit, for which all records were read.
  /// - Throws: `WorkloadError` if the feed does not fit.
  func fit(model: String?) throws(WorkloadError) -> Fit {
    var options = WorkloadOptions(
      workload: .feed(path: place), rows: nil, existingRows: 0, batchSize: 1, mix: .insertsOnly)
    options.model = model
    let mapped = try MappedFeed(options: options, path: place)
    let mappedCount = mapped.mapping.entities.map { entity in
      entity.attributes.count { $0.constant == nil && !$0.member.isEmpty } + entity.relationships.count
    }.reduce(0, +)
    return Fit(
      recordCount: mapped.recordCount, usableCount: try mapped.countUsable().count, mappedCount: mappedCount,
      unmatchedCount: mapped.mapping.unmatched.count,
      entityCount: mapped.mapping.entities.count { !$0.isReferenceOnly })
  }
}
