import Testing
import Workloads

/// Workloads whose last payloads restore the existing rows.
@Suite struct RestoringTests {
  private func options(_ workload: Workload, lanes: Int) -> WorkloadOptions {
    var options = WorkloadOptions(
      workload: workload, rows: 300, existingRows: 200, batchSize: 20,
      mix: Mix(inserts: 34, updates: 33, deletes: 33), lanes: lanes, seed: 3)
    options.restoresRows = true
    return options
  }

  @Test(arguments: [Workload.catalog, .catalogReorder, .flat], [1, 2, 5])
  func `each import of a restoring workload leaves the existing rows`(workload: Workload, lanes: Int) throws {
    try withArchive(options(workload, lanes: lanes)) { archive in
      var model = AnswerModel(schema: archive.schema)
      for record in try archive.decodedExisting() { model.apply(record) }
      let existing = model.answer()
      #expect(try archive.answer() == existing)
      let payloads = try archive.decodedPayloads()
      for _ in 0..<2 {
        for record in payloads.joined() { model.apply(record) }
        #expect(model.answer() == existing)
      }
      // Lanes are not in step.
      for lane in 0..<lanes {
        for record in payloads.indices.filter({ archive.payloads[$0].lane == lane }).flatMap({ payloads[$0] }) {
          model.apply(record)
        }
      }
      #expect(model.answer() == existing)
    }
  }

  @Test func `a restoring workload inserts, updates and deletes rows before it restores them`() throws {
    try withArchive(options(.catalog, lanes: 2)) { archive in
      var model = AnswerModel(schema: archive.schema)
      for record in try archive.decodedExisting() { model.apply(record) }
      let existing = model.answer()
      let records = try archive.decodedPayloads().joined()
      for record in records.prefix(300) { model.apply(record) }
      let changed = model.answer()
      let (old, new) = (existing.tables.map { Set($0.rows.map(\.key)) }, changed.tables.map { Set($0.rows.map(\.key)) })
      #expect(zip(old, new).contains { !$0.subtracting($1).isEmpty })
      #expect(zip(old, new).contains { !$1.subtracting($0).isEmpty })
      #expect(archive.changes.updated > 0 && archive.payloads.allSatisfy { $0.recordCount == 20 })
    }
  }
}
