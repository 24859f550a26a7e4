import ContextEngine
import Foundation
import Harness
import MachineCore
import MachineLive
import Metrics
import SQLitePersistence
import Testing
import Topologies
import TrialSupport
import Workloads

@testable import Validation

/// The rows of Kugler's table at a fiftieth of their size, on the live machine.
@Suite struct PublishedTrialTests {
  /// An import of the table: a topology, and whether it saves every 20 objects or after each entity.
  struct Import: Sendable {
    let topology: String
    let objectsPerSave: Int?
  }

  static let imports = [
    Import(topology: "child-of-main", objectsPerSave: nil), Import(topology: "three-tier", objectsPerSave: nil),
    Import(topology: "worker-merge", objectsPerSave: nil), Import(topology: "three-tier", objectsPerSave: 20),
    Import(topology: "worker-merge", objectsPerSave: 20),
  ]

  /// The outcome of a small run, and the statements of its store.
  private struct Run {
    let outcome: PublishedTrial.Outcome
    let statements: [String]
    let relationshipCount: Int
    /// The SELECTs by keys of records.
    var lookupCount: Int { statements.count { $0.hasPrefix("SELECT") && $0.contains("ZREMOTEID ") } }
    var work: WorkCounts { outcome.measurements[0].work }
  }

  private func run(
    _ row: Import, objectCount: Int = 300, lookup: RunOptions.Lookup = .unit, connectionPool: Int = 1,
    meddle: (@Sendable (String) -> Void)? = nil
  ) throws -> Run {
    let statements = Statements()
    let step = PublishedStep.TwoPhaseImport(
      objectCount: objectCount, pageSize: 10, objectsPerSave: row.objectsPerSave, relationshipsPerSave: 20)
    var options = RunOptions()
    options.connectionPool = connectionPool
    options.lookup = lookup
    let outcome = try PublishedBench.run(
      PublishedBench.table(topology: row.topology, steps: [.importInTwoPhases(step)]), options,
      instruments: .recording(statements, meddle: meddle))
    return Run(
      outcome: outcome, statements: statements.all,
      relationshipCount: TwoPhaseWorkload(objectCount: objectCount, pageSize: 10, seed: 1).relationshipCount)
  }

  @Test(arguments: imports, [1, 4])
  func `every row imports all objects and relationships`(_ row: Import, _ connectionPool: Int) throws {
    let outcome = try run(row, connectionPool: connectionPool).outcome
    #expect(outcome.complaints == [])
    #expect(outcome.measurements[0].wall > .zero)
  }

  @Test func `all rows write the same data`() throws {
    let digests = try Self.imports.map { try run($0).outcome.storeDigest }
    #expect(Set(digests).count == 1)
    #expect(digests[0] != nil)
  }

  @Test(arguments: imports)
  func `a page is looked up by one fetch for each of its entities`(_ row: Import) throws {
    let run = try run(row)
    // 4, 16, 40, 40 and 200 records in pages of 10.
    let objectPages = 1 + 2 + 4 + 4 + 20
    let entitiesOfPages = try entitiesOfRelationshipPages().map { Set($0).count }
    #expect(run.lookupCount == objectPages + entitiesOfPages.reduce(0, +))
  }

  @Test func `a look-up by record makes one fetch for each object and relationship end`() throws {
    let run = try run(Self.imports[1], lookup: .record)
    #expect(run.outcome.complaints == [])
    #expect(run.lookupCount == 300 + 2 * run.relationshipCount)
  }

  /// Returns the entities at both ends of the relationships, for each page of 20 relationships.
  private func entitiesOfRelationshipPages() throws -> [[Int]] {
    let workload = TwoPhaseWorkload(objectCount: 300, pageSize: 10, seed: 1)
    let decoder = PayloadDecoder(schema: workload.schema)
    var ends: [[Int]] = []
    for record in try workload.pages.flatMap({ try decoder.decode($0.text) }) {
      for link in workload.schema.entities[record.entity].links {
        ends.append([record.entity, try #require(workload.schema.index(ofEntity: link.targetEntity))])
      }
    }
    return stride(from: 0, to: ends.count, by: 20).map { ends[$0..<min($0 + 20, ends.count)].flatMap(\.self) }
  }

  @Test(arguments: ["child-of-main", "three-tier", "worker-merge"])
  func `the worker saves once per entity or page and per relationship page`(_ topology: String) throws {
    // The saves of the worker are saved again by two parents in #5 and by one in #3. The worker of #2 saves to the
    // store.
    let levels = ["worker-merge": 1, "child-of-main": 2, "three-tier": 3][topology] ?? 0
    for (objectsPerSave, objectSaves) in [(nil, 5), (20, 16)] {
      let run = try run(Import(topology: topology, objectsPerSave: objectsPerSave))
      let workerSaves = objectSaves + (run.relationshipCount + 19) / 20
      #expect(run.work[.saveBegun] == levels * workerSaves)
    }
  }

  @Test func `a nested stack pushes objects, and worker-merge merges changes`() throws {
    let nested = try run(Self.imports[1]).work
    #expect(nested[.objectPushed] > 0)
    #expect(nested[.changeMergedUnregistered] == 0)
    let other = try run(Self.imports[2]).work
    #expect(other[.objectPushed] == 0)
    #expect(other[.changeMergedUnregistered] > 300)
  }

  @Test func `unsaved objects are tested again by each later page`() throws {
    let entity = try run(Self.imports[2]).work[.objectTested]
    let batched = try run(Self.imports[4]).work[.objectTested]
    // Each page of 10 is tested by the pages after it: 2 pages of labels, 4 of artists and of albums, 20 of tracks.
    #expect(entity == 10 * 1 + 2 * 10 * (1 + 2 + 3) + 10 * 19 * 20 / 2)
    // A save has two pages: 1 save of labels, 2 of artists and of albums, 10 of tracks.
    #expect(batched == 10 * (1 + 2 + 2 + 10))
  }

  @Test(arguments: ["DELETE FROM ZTRACK WHERE Z_PK = 7", "UPDATE ZTRACK SET ZALBUM = NULL WHERE Z_PK = 7"])
  func `a store with a missing row or link fails verification`(_ damage: String) throws {
    let run = try run(Self.imports[2], objectCount: 60) { path in execute(damage, path) }
    #expect(!run.outcome.complaints.isEmpty)
  }
}
