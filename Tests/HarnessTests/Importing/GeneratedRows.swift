import Foundation
import Harness
import TestSupport
import Workloads

/// Generated rows of models that tests write inline.
enum GeneratedRows {
  /// Returns the problems of a store into which a model's generated rows were imported, with a unit for each payload.
  static func complaints(
    _ entities: String, mix: String = "70:25:5", rows: Int = 300, seed: UInt64 = 1
  ) throws -> [String] {
    try withArchive(entities, mix: mix, rows: rows, seed: seed) { archive in
      let decoder = PayloadDecoder(schema: archive.schema)
      let existing = try archive.existing.indices.map { try decoder.decode(archive.existingText($0)) }
      let units = existing + (try archive.payloads.indices.map { try decoder.decode(archive.payload($0)) })
      return try GeneralSchemaBench(units, schema: archive.schema).complaints()
    }
  }

  /// Generates rows of a model with these entities, and passes the archive to the body.
  static func withArchive<Result>(
    _ entities: String, mix: String = "70:25:5", rows: Int = 300, seed: UInt64 = 1,
    _ body: (WorkloadArchive) throws -> Result
  ) throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let contents = folder.url.appending(path: "contents")
    try Data("<model>\(entities)</model>".utf8).write(to: contents)
    var options = WorkloadOptions(
      workload: .model(path: contents.path(percentEncoded: false)), rows: rows, existingRows: 100, batchSize: 50,
      mix: try Mix(argument: mix), seed: seed)
    options.model = contents.path(percentEncoded: false)
    return try body(try WorkloadArchive.write(options, to: folder.url))
  }
}
