import Foundation
import Harness
import InputFiles
import MachineCore
import TestSupport
import Testing
import Topologies
import TrialProcesses
import TrialSupport
import Workloads

/// Trials that start from a store, and the check of the store after them.
@Suite struct StartingStoreTrialTests {
  private let shop: ShopStore

  init() throws {
    shop = try ShopStore()
  }

  private struct Run {
    var shop: ShopStore
    var bench: TrialBench
    var outcome: TrialBench.Outcome

    /// Changes a copy of the store and checks it again, as after the trial, but with the journal of no edits.
    func problems(after change: (URL) throws -> Void = { _ in }) throws -> [String] {
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let copy = folder.url.appendingPathComponent("trial")
      try FileManager.default.copyItem(at: outcome.store.deletingLastPathComponent(), to: copy)
      let store = copy.appendingPathComponent(outcome.store.lastPathComponent)
      try change(store)
      return try StoreChecker(schema: bench.archive.schema).check(
        storeAt: store, against: try bench.archive.answer(), journal: EditJournal(), base: bench.base
      ).complaints()
    }
  }

  private static let known = SharedValues<String, Run>()

  /// Returns an import of a feed without edits, which runs once for all tests.
  private func fed() throws -> Run {
    try Self.known.value(for: "") {
      try run(shop.options(feed: true, mix: .insertsOnly)) { $0.userEditInterval = .zero }
    }
  }

  private func run(
    _ workload: WorkloadOptions, _ topology: Topology = .all[0], _ change: (inout RunOptions) -> Void = { _ in }
  ) throws -> Run {
    let profile = try ProfileLibrary.profile(named: ProfileLibrary.standardName)
    let options = TrialBench.options(on: profile) {
      $0.saveEvery = 10
      $0.userEditInterval = .milliseconds(20)
      change(&$0)
    }
    var workload = workload
    workload.lanes = options.lanes
    let bench = try TrialBench(workload, options, on: profile)
    return Run(shop: shop, bench: bench, outcome: try bench.run(topology))
  }

  @Test(arguments: Topology.all)
  func `an import meets the rows of a store, and all others survive`(topology: Topology) throws {
    for isFeed in [true, false] {
      let workload = shop.options(feed: isFeed, rows: 60, mix: Mix(inserts: 40, updates: 40, deletes: 20))
      let run = try run(workload, topology)
      #expect(run.outcome.measures.verified == 1, "\(topology.title), feed \(isFeed): \(run.outcome.complaints)")
      let remarks = run.bench.prepared.remarks
      #expect(remarks.contains("the store has the rows of Item (13), Shelf (1), Log (1)"), "\(remarks)")
      let item = try #require(run.bench.archive.schema.index(ofEntity: "Item"))
      let answer = try run.bench.archive.answer()
      let left = answer.tables[item].rows.count(where: { $0.key.isStoreRow })
      #expect(left == 3)
      // Existing rows were deleted, and others changed.
      let start = try #require(try run.bench.archive.startingRows())
      let kept = start.answer.tables[item].rows.filter { answer.tables[item][$0.key] == $0 }.count
      #expect(kept >= 3 && kept < 13)
    }
  }

  @Test func `a feed changes the rows of its keys and inserts the others`() throws {
    let run = try fed()
    #expect(run.outcome.complaints.isEmpty)
    let item = try #require(run.bench.archive.schema.index(ofEntity: "Item"))
    let rows = try run.bench.archive.answer().tables[item]
    // Six of the ten keys are in the feed: c0, c5, …, c25.
    #expect(rows.rows.count == 13 + 24)
    let title = try #require(run.bench.archive.schema.entities[item].attributes.firstIndex { $0.name == "title" })
    #expect(rows[.string("c5")]?.values[title] == .string("fed 5"))
    #expect(rows[.string("c45")]?.values[title] == .string("stored 0"))
    #expect(rows[.string("c0")]?.edited == .string("mine 0"))
    #expect(try run.problems() == [])
  }

  @Test(arguments: [
    ("UPDATE ZITEM SET ZTITLE = 'x' WHERE ZID = 'c45'", "Item c45: title"),
    ("UPDATE ZITEM SET ZTITLE = 'x' WHERE ZID IS NULL", "Item with Z_PK 11: title"),
    ("UPDATE ZITEM SET ZSECRET = 7 WHERE ZID = 'c5'", "Item with Z_PK"),
    ("UPDATE ZITEM SET ZNOTE = 'x' WHERE ZID = 'c45'", "but it was never edited"),
    ("DELETE FROM ZITEM WHERE ZID = 'c45'", "Item c45 is missing"),
    ("DELETE FROM ZITEM WHERE ZID = 'twice' AND Z_PK = 13", "Item with Z_PK 13 is missing"),
    ("UPDATE ZSHELF SET ZNAME = 'x'", "Shelf with Z_PK 1: name"),
    ("DELETE FROM ZSHELF", "Shelf with Z_PK 1 is missing"),
    ("INSERT INTO ZLOG (Z_PK, Z_ENT, Z_OPT) SELECT 9, Z_ENT, 1 FROM ZLOG", "a row of Log has no key"),
    ("UPDATE ZLOG SET ZITEM = NULL", "Log.item no longer leads to 3"),
    ("UPDATE ZITEM SET ZSHELF = NULL WHERE Z_PK = 2", "no longer leads to"),
    ("UPDATE ZITEM SET Z_FOK_SHELF = -Z_FOK_SHELF WHERE ZSHELF IS NOT NULL", "the order of rows has changed"),
  ])
  func `a change of a row that no record touched is found`(sql: String, sentence: String) throws {
    let run = try fed()
    let problems = try run.problems { store in try ShopStore.execute(sql, in: store.path) }
    #expect(problems.contains { $0.contains(sentence) }, "\(problems)")
  }

  @Test func `a value in a file that has changed is found`() throws {
    let run = try fed()
    let problems = try run.problems { store in
      let folder = store.deletingLastPathComponent().appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files.count == 3)
      try Data("x".utf8).write(to: folder.appendingPathComponent(try #require(files.first)))
    }
    #expect(problems.contains { $0.hasPrefix("Item.scan: the file ") })
  }

  @Test func `rows that are made as well are added to those of the store`() throws {
    var workload = shop.options(feed: false, rows: 40)
    workload.existingRows = 25
    let run = try run(workload)
    #expect(run.outcome.measures.verified == 1, "\(run.outcome.complaints)")
    #expect(try run.bench.archive.answer().rowCount > 25)
  }

  @Test func `several imports change different rows of the store`() throws {
    let run = try run(shop.options(feed: false, rows: 120)) { $0.lanes = 3 }
    #expect(run.outcome.measures.verified == 1, "\(run.outcome.complaints)")
  }

  @Test func `a record with a key that several rows have is refused`() throws {
    try shop.folder.write(#"[{"id":"a","title":"t"},{"id":"twice","title":"u"}]"#, to: "items.json")
    let failure = #expect(throws: RunFailure.self) { try run(shop.options(feed: true, mix: .insertsOnly)) }
    #expect(
      failure?.description
        == "store \(shop.path): 2 rows of Item in the store have the key twice, with Z_PK 12, 13, so that a record cannot "
        + "name one of them; use a key that distinguishes them, or remove the others")
    #expect(failure?.kind == .badUsage)
  }

  @Test func `a blind insert of a row that the store has is refused`() throws {
    let failure = #expect(throws: RunFailure.self) {
      try run(shop.options(feed: true, mix: .insertsOnly)) { $0.lookup = .none }
    }
    #expect(failure?.description.contains("Item c0 is in the store already, and blind inserts") == true)
  }
}
