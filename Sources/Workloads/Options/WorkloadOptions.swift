import MachineCore

/// The choices of an import: the workload, its size, its division into payloads and lanes, and the seed.
package struct WorkloadOptions: Equatable, Sendable, Codable {
  package var workload: Workload
  /// The number of records to import, or nil for all records of a feed. Generated workloads need a number.
  package var rows: Int?
  /// The rows that are made before the first payload, in addition to those of a starting store. With a feed, they have
  /// the keys of its first records.
  package var existingRows: ExistingRows
  /// The number of records in a payload. The last payload may have fewer.
  package var batchSize: Int
  package var mix: Mix
  /// The number of imports that run at a time. Payload p belongs to lane p mod `lanes`.
  package var lanes: Int
  /// The share of each lane's records, in per cent, that insert or update rows which the other lanes write too. With 0,
  /// each key belongs to one lane.
  package var overlap = 0
  /// True if further payloads restore the existing rows of a generated workload, so that it can be imported again and
  /// again. Nil counts as false.
  package var restoresRows: Bool?
  package var seed: UInt64
  /// The path of the model whose entities the rows fill, or nil to use the workload's own. It is that of an
  /// `.xcdatamodeld` or `.xcdatamodel` folder, or of a `contents` file.
  package var model: String?
  /// The name of the model's version, or nil for the current one.
  package var modelVersion: String?
  /// The path of the store of an app from whose copy the run starts, or nil to start from an empty store.
  package var store: String?
  /// The parts of a feed's mapping that the user gives, or nil to infer all of it.
  package var map: FeedMap?
  /// The list that screens show.
  package var list = ListOptions()
  package var onBadRecord: BadRecordPolicy = .fail
  /// The size of the largest record of a feed, in bytes.
  package var maxRecordBytes = 16 << 20

  package init(
    workload: Workload, rows: Int?, existingRows: ExistingRows, batchSize: Int, mix: Mix, lanes: Int = 1,
    seed: UInt64 = 1
  ) {
    self.workload = workload
    self.rows = rows
    self.existingRows = existingRows
    self.batchSize = batchSize
    self.mix = mix
    self.lanes = lanes
    self.seed = seed
  }

  /// The largest number of records that one option may request.
  package static let largestRowCount = 10_000_000
  package static let largestLaneCount = 64
}

/// The treatment of a feed's record that does not fit its entity.
package enum BadRecordPolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// The record is left out, and the run counts it.
  case skip
  /// The workload is refused.
  case fail
}

/// The kind of records, or the file that they are read from.
package enum Workload: Hashable, Sendable, Codable {
  /// Suppliers, products and prices.
  case catalog
  /// Suppliers, products and prices, with updates that also change names, by which lists are sorted.
  case catalogReorder
  /// Items without links.
  case flat
  /// The records of a file: `.json`, `.jsonl`, `.ndjson` or `.geojson`.
  case feed(path: String)
  /// Generated rows of the model that the options name. The path leads to the model.
  case model(path: String)

  package static let feedExtensions = ["json", "jsonl", "ndjson", "geojson"]
  /// The names of the generated workloads.
  package static let generatedNames = ["catalog", "catalog-reorder", "flat"]

  /// Creates the workload that a name stands for. A feed's file is not examined, and its extension may be in capitals.
  ///
  /// - Throws: `WorkloadError` if the name is neither a generated workload's name nor a path with a feed's extension.
  package init(argument: String) throws(WorkloadError) {
    switch argument {
    case "catalog": self = .catalog
    case "catalog-reorder": self = .catalogReorder
    case "flat": self = .flat
    default:
      guard let dot = argument.lastIndex(of: "."),
        Workload.feedExtensions.contains(argument[argument.index(after: dot)...].lowercased())
      else {
        throw WorkloadError(
          .workload, QuotedText.of(argument),
          "not a workload; use \(Self.generatedNames.joined(separator: ", ")) or a feed ending in "
            + ".json, .jsonl, .ndjson or .geojson")
      }
      self = .feed(path: argument)
    }
  }

  /// Indicates whether records link to others. Those of a feed may, which is known once it is read.
  package var hasLinks: Bool {
    switch self {
    case .catalog, .catalogReorder, .model: true
    case .flat, .feed: false
    }
  }

  package var isFeed: Bool { feedPath != nil }

  /// The path of the feed, or nil for another workload.
  package var feedPath: String? {
    if case .feed(let path) = self { path } else { nil }
  }

  /// The name of the workload in results. It is a feed's file name.
  package var name: String {
    switch self {
    case .catalog: "catalog"
    case .catalogReorder: "catalog-reorder"
    case .flat: "flat"
    case .feed(let path): path.split(separator: "/").last.map(String.init) ?? path
    case .model(let path):
      path.split(separator: "/").last.map { $0.split(separator: ".").first.map(String.init) ?? String($0) } ?? path
    }
  }
}

/// The shares of inserts, updates and deletions, in per cent.
package struct Mix: Hashable, Sendable, Codable, CustomStringConvertible {
  package var inserts: Int
  package var updates: Int
  package var deletes: Int

  package init(inserts: Int, updates: Int, deletes: Int) {
    self.inserts = inserts
    self.updates = updates
    self.deletes = deletes
  }

  /// The default mix of generated workloads.
  package static let standard = Mix(inserts: 70, updates: 25, deletes: 5)
  /// The mix of a feed.
  package static let insertsOnly = Mix(inserts: 100, updates: 0, deletes: 0)

  /// Creates a mix from text in the form `inserts:updates:deletes`.
  ///
  /// - Throws: `WorkloadError` if the text does not have three whole numbers, of digits without a sign, that add up
  ///   to 100.
  package init(argument: String) throws(WorkloadError) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
    guard parts.count == 3, numbers.count == 3 else {
      throw WorkloadError(
        .mix, QuotedText.of(argument),
        "not three whole numbers; use inserts:updates:deletes, as in 70:25:5")
    }
    self.init(inserts: numbers[0], updates: numbers[1], deletes: numbers[2])
    guard numbers.allSatisfy({ $0 <= 100 }), numbers.reduce(0, +) == 100 else {
      throw WorkloadError(.mix, QuotedText.of(argument), "the shares must add up to 100, as in 70:25:5")
    }
  }

  package var description: String { "\(inserts):\(updates):\(deletes)" }
}

// MARK: - Validation

extension WorkloadOptions {
  /// Checks everything that can be checked without reading a feed.
  ///
  /// - Throws: `WorkloadError` that names the field, its value and a value that would be right.
  package func validate() throws(WorkloadError) {
    if let rows {
      try check(.rows, value: rows, in: 1...WorkloadOptions.largestRowCount)
    } else if !workload.isFeed {
      throw WorkloadError(
        .invalidOption, "the number of rows is missing: a generated workload has no size of its own")
    }
    if existingRows != .everyRecord {
      try check(.existingRows, value: existingRows.count, in: 0...WorkloadOptions.largestRowCount)
    } else if !workload.isFeed {
      throw WorkloadError(.existingRows, "full", "a generated workload has no size of its own; use a number")
    }
    try check(.batchSize, value: batchSize, in: 1...WorkloadOptions.largestRowCount)
    try check(.lanes, value: lanes, in: 1...WorkloadOptions.largestLaneCount)
    try check(.overlap, value: overlap, in: 0...100)
    guard overlap == 0 || lanes > 1 else {
      throw WorkloadError(
        .overlap, "\(overlap)", "one import shares its keys with no other; use 0, or 2 or more concurrent imports")
    }
    guard min(mix.inserts, mix.updates, mix.deletes) >= 0, mix.inserts + mix.updates + mix.deletes == 100 else {
      throw WorkloadError(.mix, "\(mix)", "the shares must add up to 100, as in 70:25:5")
    }
    if case .model = workload, model == nil {
      throw WorkloadError(.workload, "model", "generated rows of a model need a model; name one")
    }
    if mix.inserts == 0, existingRows.count < lanes, store == nil {
      throw WorkloadError(
        .mix, "\(mix)",
        "without inserts there is nothing to update or delete; use \(lanes) or more existing rows, or insert some")
    }
  }

  private func check(
    _ kind: WorkloadError.Field.Kind, value: Int, in range: ClosedRange<Int>
  ) throws(WorkloadError) {
    guard range.contains(value) else {
      throw WorkloadError(kind, "\(value)", "out of range; use \(range.lowerBound) to \(range.upperBound)")
    }
  }
}
