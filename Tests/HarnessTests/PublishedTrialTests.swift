import ContextEngine
import Foundation
import MachineCore
import MachineLive
import Metrics
import SQLitePersistence
import Testing
import Topologies
import Workloads

@testable import Harness

/// The rows of the published table at a fiftieth of their size, on the live machine.
@Suite struct PublishedTrialTests {
  /// What a small run left, and the statements of its store.
  private struct Run {
    let outcome: PublishedTrial.Outcome
    let statements: [String]
    let relationshipCount: Int
    /// The SELECTs by keys of records.
    var lookupCount: Int { statements.count { $0.hasPrefix("SELECT") && $0.contains("ZREMOTEID ") } }
  }

  private func run(
    _ topology: String, _ batching: PublishedFigures.SaveBatching, objectCount: Int = 300,
    lookup: RunOptions.Lookup = .unit, connectionPool: Int = 1, meddle: (@Sendable (String) -> Void)? = nil
  ) throws -> Run {
    let folder = FileManager.default.temporaryDirectory.appending(path: "published-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = RunOptions()
    options.connectionPool = connectionPool
    options.lookup = lookup
    let plan = PublishedTrial.Plan(
      topology: try #require(Topology.named(topology)), batching: batching, options: options,
      storePath: folder.appending(path: "store.sqlite").path, objectCount: objectCount, savedTogether: 20,
      lookedUpTogether: 10)
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: 1_000)
    let machine = LiveMachine(ledger: work, observer: mainQueue)
    defer { machine.stop() }
    let statements = Statements()
    let trial = PublishedTrial(
      plan: plan, machine: machine, work: work, mainQueue: mainQueue,
      instruments: .recording(statements, meddle: meddle))
    return Run(
      outcome: try trial.run(), statements: statements.all, relationshipCount: plan.workload.relationshipCount)
  }

  @Test(arguments: PublishedFigures.kugler2013, [1, 4])
  func `every row imports all objects and all relationships`(_ row: PublishedFigures, _ connectionPool: Int) throws {
    let outcome = try run(row.topology, row.batching, connectionPool: connectionPool).outcome
    #expect(outcome.complaints == [])
    #expect(outcome.total > .zero)
    #expect(outcome.mainBusy >= outcome.mainWait)
    #expect(outcome.mainCPU > .zero)
  }

  @Test func `all rows leave the same data`() throws {
    let digests = try PublishedFigures.kugler2013.map { try run($0.topology, $0.batching).outcome.storeDigest }
    #expect(Set(digests).count == 1)
  }

  @Test(arguments: PublishedFigures.kugler2013)
  func `a page is looked up by one fetch for each entity in it`(_ row: PublishedFigures) throws {
    let run = try run(row.topology, row.batching)
    // 4, 16, 40, 40 and 200 records in pages of 10.
    let objectPages = 1 + 2 + 4 + 4 + 20
    let entitiesOfPages = try entitiesOfRelationshipPages().map { Set($0).count }
    #expect(run.lookupCount == objectPages + entitiesOfPages.reduce(0, +))
  }

  @Test func `a look-up by record makes one fetch for each object and for each end of a relationship`() throws {
    let run = try run("three-tier", .entity, lookup: .record)
    #expect(run.outcome.complaints == [])
    #expect(run.lookupCount == 300 + 2 * run.relationshipCount)
  }

  /// For each page of 20 relationships the entities at their ends.
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
  func `one save an entity, or one a page, and one for each page of relationships`(_ topology: String) throws {
    // Two levels save what the worker saved in #5, one in #3, none in #2.
    let levels = ["worker-merge": 1, "child-of-main": 2, "three-tier": 3][topology] ?? 0
    for (batching, objectSaves) in [(PublishedFigures.SaveBatching.entity, 5), (.every500, 16)] {
      let run = try run(topology, batching)
      let workerSaves = objectSaves + (run.relationshipCount + 19) / 20
      #expect(run.outcome.work[.saveBegun] == levels * workerSaves)
    }
  }

  @Test func `main pushes, fetches and saves in the nested stacks and merges in the other`() throws {
    let nested = try run("three-tier", .entity).outcome
    #expect(nested.work[.objectPushed] > 0)
    #expect(nested.mainTime[.fetch] > .zero)
    #expect(nested.mainTime[.push] > .zero)
    let other = try run("worker-merge", .entity).outcome
    #expect(other.work[.objectPushed] == 0)
    #expect(other.mainTime[.fetch] == .zero)
    #expect(other.mainTime[.merge] > .zero)
    #expect(other.work[.changeMergedUnregistered] > 300)
  }

  @Test func `objects that wait for one save of their entity are tested again and again`() throws {
    let entity = try run("worker-merge", .entity).outcome.work[.objectTested]
    let batched = try run("worker-merge", .every500).outcome.work[.objectTested]
    // Pages of 10, each tested by those after it: 2 pages of labels, 4 of artists and of albums, 20 of tracks.
    #expect(entity == 10 * 1 + 2 * 10 * (1 + 2 + 3) + 10 * 19 * 20 / 2)
    // Two pages a save: 1 save of labels, 2 of artists and of albums, 10 of tracks.
    #expect(batched == 10 * (1 + 2 + 2 + 10))
  }

  @Test(arguments: ["DELETE FROM ZTRACK WHERE Z_PK = 7", "UPDATE ZTRACK SET ZALBUM = NULL WHERE Z_PK = 7"])
  func `a store with a row or a link missing does not verify`(_ damage: String) throws {
    let run = try run("worker-merge", .entity, objectCount: 60) { path in execute(damage, path) }
    #expect(!run.outcome.complaints.isEmpty)
  }
}
