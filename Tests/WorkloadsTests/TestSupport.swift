import Foundation
import TestSupport
import Testing
import Workloads

/// Runs a body with a temporary folder, which is removed afterwards.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  return try body(folder.url)
}

/// Writes a workload and passes it to the body.
func withArchive<Result>(_ options: WorkloadOptions, _ body: (WorkloadArchive) throws -> Result) throws -> Result {
  try withFolder { folder in try body(try WorkloadArchive.write(options, to: folder)) }
}

/// Writes a feed under a name and reads it as a workload.
func withFeed<Result>(
  _ text: String, name: String = "feed.json", rows: Int? = nil, batchSize: Int = 2, lanes: Int = 1,
  _ body: (WorkloadArchive) throws -> Result
) throws -> Result {
  try withFolder { folder in
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return try withArchive(
      WorkloadOptions(
        workload: try Workload(argument: file.path(percentEncoded: false)), rows: rows, existingRows: 0,
        batchSize: batchSize, mix: .insertsOnly, lanes: lanes)
    ) { try body($0) }
  }
}

/// Returns the error of a feed of this text, with the path shortened to its name.
func feedError(_ text: String, name: String = "feed.json", rows: Int? = nil, lanes: Int = 1) throws -> String {
  do {
    try withFeed(text, name: name, rows: rows, lanes: lanes) { _ in }
    return "no error"
  } catch let error as WorkloadError {
    // An error of an option has no path.
    guard let path = error.description.firstMatch(of: /\/[^ :]*\//) else { return error.description }
    return error.description.replacing(path.0, with: "")
  }
}

extension WorkloadArchive {
  /// Returns the records of each payload, decoded.
  func decodedPayloads() throws -> [[ImportRecord]] {
    let decoder = PayloadDecoder(schema: schema)
    return try payloads.indices.map { try decoder.decode(payload($0)) }
  }

  func decodedExisting() throws -> [ImportRecord] {
    let decoder = PayloadDecoder(schema: schema)
    return try existing.indices.flatMap { try decoder.decode(existingText($0)) }
  }

  /// All texts, existing rows first.
  var texts: [String] {
    existing.indices.map { String(decoding: existingText($0), as: UTF8.self) }
      + payloads.indices.map { String(decoding: payload($0), as: UTF8.self) }
  }
}

func catalog(
  rows: Int = 1_000, existingRows: Int = 200, batchSize: Int = 100, mix: Mix = .standard, lanes: Int = 1,
  seed: UInt64 = 1
) -> WorkloadOptions {
  WorkloadOptions(
    workload: .catalog, rows: rows, existingRows: .count(existingRows), batchSize: batchSize, mix: mix, lanes: lanes,
    seed: seed)
}

extension Answer {
  /// Returns the rows of an entity in the order of its list.
  func sortedRows(_ entity: Int, schema: WorkloadSchema) -> [Row] {
    tables[entity].rows.sorted { schema.entities[entity].lists($0.values, before: $1.values) }
  }
}
