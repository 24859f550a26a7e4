import InputFiles
import MachineCore
import Metrics
import TestSupport
import Testing
import Topologies

@testable import Experiments
@testable import Validation

/// Tests of the steps of published tables by the work that they cause.
@Suite struct PublishedStepTests {
  private let bench: ScriptBench

  init() throws {
    bench = try ScriptBench()
  }

  private static let filled = ["insert: {entity: Item, count: 40, save: once}"]

  @Test func `an insertion saves once, or after each given number of objects`() throws {
    for (save, blocks) in [("once", 1), ("1", 10), ("4", 3)] {
      let work = try bench.measure(steps: ["insert: {entity: Item, count: 10, save: \(save)}"]).work
      #expect(work[.saveBegun] == blocks && work[.perform] == blocks, "\(save)")
      #expect(work[.rowWritten] == 10)
    }
  }

  @Test func `unsaved objects are a complaint unless a later step saves`() throws {
    let outcome = try bench.run(PublishedTableText.text(steps: ["insert: {entity: Item, count: 10}"]))
    #expect(
      outcome.complaints == [
        "the row ends with unsaved changes in context main; end it with a step that saves or resets"
      ])
    let work = try bench.measure(steps: ["insert: {entity: Item, count: 10}", "save: {}"]).work
    #expect(work[.saveBegun] == 1 && work[.rowWritten] == 10)
    #expect(try bench.measure(steps: ["insert: {entity: Item, count: 10}", "reset: {}"]).work[.rowWritten] == 0)
  }

  @Test func `a save with all levels saves each context up to the store`() throws {
    let row = "    topology: three-tier"
    let work = try bench.measure(row: row, steps: ["insert: {entity: Item, count: 10}", "save: {levels: all}"]).work
    #expect(work[.saveBegun] == 3 && work[.insertionPushed] == 20)
    let ui = try bench.measure(row: row, steps: ["insert: {in: ui, entity: Item, count: 10, save: once}"]).work
    #expect(ui[.saveBegun] == 2)
  }

  @Test func `a fetch repeats in separate blocks or in one block`() throws {
    let each = "fetch: {entity: Item, where: {attribute: number, object: each}, times: 7, read: true"
    let work = try bench.measure(setUp: Self.filled, steps: ["\(each)}"]).work
    #expect(work[.statementRun] == 7 && work[.perform] == 7 && work[.faultFired] == 7)
    let block = try bench.measure(setUp: Self.filled, steps: ["\(each), oneBlock: true}"]).work
    #expect(block[.statementRun] == 7 && block[.perform] == 1)
  }

  @Test func `a fetch with an index scans no rows`() throws {
    let indexed = try bench.measure(
      setUp: Self.filled, steps: ["fetch: {entity: Item, where: {attribute: number, object: 3}}"])
    #expect(indexed.work[.rowScanned] == 0)
    let unindexed = try bench.measure(
      setUp: Self.filled, steps: ["fetch: {entity: Item, where: {attribute: group, object: 3}}"])
    // SQLite counts the steps from one row to the next in a fetch without an index. The last step finds no row.
    #expect(unindexed.work[.rowScanned] == 29)
    #expect(unindexed.work[.rowStepped] == 10)
  }

  @Test func `fetches by prefix and by page run one statement each`() throws {
    let work = try bench.measure(
      setUp: Self.filled,
      steps: [
        "fetch: {entity: Item, where: {attribute: name, match: prefix, length: 3, object: random}, times: 5}",
        "fetch: {entity: Item, where: {attribute: number, match: page, size: 8}, times: 5, sort: [name], limit: 6}",
        "fetch: {entity: Item, sort: [number], batch: 10, read: true}",
        "fetch: {entity: Item, faults: false, hold: true}", "release: {}",
      ]
    ).work
    #expect(work[.rowSorted] > 0)
    #expect(work[.statementRun] == 5 + 5 + 1 + 4 + 1)
  }

  @Test func `updates and deletions run per object or as one request`() throws {
    let update = try bench.measure(setUp: Self.filled, steps: ["update: {entity: Item, attributes: [name], save: 8}"])
    #expect(update.work[.rowWritten] == 40 && update.work[.saveBegun] == 5)
    let delete = try bench.measure(
      setUp: Self.filled, steps: ["delete: {entity: Item, where: {attribute: group, object: 1}, save: once}"])
    #expect(delete.work[.rowWritten] == 10 && delete.work[.saveBegun] == 1)
    let batch = try bench.measure(
      setUp: Self.filled,
      steps: ["batchUpdate: {entity: Item, attributes: [name]}", "reset: {}", "batchDelete: {entity: Item}"])
    #expect(batch.work[.saveBegun] == 0 && batch.work[.batchRowWritten] == 80 && batch.work[.propertySet] == 0)
  }

  @Test func `an update of held objects fetches no rows`() throws {
    let work = try bench.measure(
      setUp: ["insert: {entity: Item, count: 10, save: once, hold: true}"],
      steps: ["update: {entity: Item, attributes: [name], held: true, save: once}"]
    ).work
    #expect(work[.rowStepped] == 0 && work[.rowWritten] == 10)
  }

  @Test func `findOrCreate fetches existing objects and inserts missing ones`() throws {
    let work = try bench.measure(
      setUp: ["insert: {entity: Item, count: 12, save: once}"],
      steps: ["findOrCreate: {entity: Item, count: 20, key: number, page: 5, save: 10}"]
    ).work
    #expect(work[.rowStepped] == 12)
    // Objects that receive their present values do not change, so that the first save has no work.
    #expect(work[.saveBegun] == 1 && work[.rowWritten] == 8)
  }

  @Test func `a link step sets the relationship of every object`() throws {
    let work = try bench.measure(
      setUp: Self.filled + ["insert: {entity: Album, count: 5, save: once}"],
      steps: ["link: {entity: Item, relationship: album, save: 20}"]
    ).work
    #expect(work[.saveBegun] == 2 && work[.rowWritten] >= 40)
  }

  @Test func `a reopened store reads more pages`() throws {
    let fetch = "fetch: {entity: Item, read: true}"
    let warm = try bench.measure(setUp: Self.filled, steps: [fetch]).work
    let cold = try bench.measure(setUp: Self.filled, steps: ["reopen: {}", fetch]).work
    #expect(warm[.pageRead] < cold[.pageRead])
  }

  @Test func `a list on screen takes part in merges`() throws {
    let steps = ["insert: {entity: Item, count: 10, save: 5}"]
    let bare = try bench.measure(row: "    topology: worker-merge", steps: steps)
    let listed = try bench.measure(
      row: "    topology: worker-merge\n    list: {entity: Item, sort: [number], batch: 20}", steps: steps)
    #expect(bare.work[.controllerChange] == 0 && listed.work[.controllerChange] == 10)
    let screens = try bench.measure(
      row: "    topology: per-view-controller\n    list: {entity: Item, sort: [number]}", steps: steps)
    #expect(screens.mainWork[.statementRun] > 0)
  }

  @Test func `two contexts import and fetch at the same time`() throws {
    let work = try bench.measure(
      row: "    topology: worker-merge", setUp: Self.filled,
      steps: [
        "together: {import: [{insert: {entity: Item, count: 200, save: 10}}], "
          + "ui: [{fetch: {entity: Item, where: {attribute: number, object: each}, times: 20, everyMilliseconds: 2}}]}"
      ])
    #expect(work.work[.saveBegun] == 20)
    #expect(work.mainWork[.statementRun] == 20)
    #expect(work.wall >= .milliseconds(38))
  }

  @Test func `an in-memory store runs the same steps without SQL`() throws {
    let measured = try bench.measure(
      row: "    topology: child-of-main\n    store: memory",
      steps: ["insert: {entity: Item, count: 10, save: once}", "fetch: {entity: Item, read: true}"])
    #expect(measured.work[.rowWritten] == 10 && measured.work[.statementRun] == 0 && measured.work[.pageWritten] == 0)
  }

  @Test func `conditions below and above a value find the objects on that side`() throws {
    for (condition, count) in [
      ("attribute: number, match: less, object: 10", 10), ("attribute: number, match: greater, object: 10", 29),
      ("attribute: group, match: greater, object: 2", 10),
    ] {
      // The bench compares the number of objects with an independent count.
      let fetched = try bench.measure(setUp: Self.filled, steps: ["fetch: {entity: Item, where: {\(condition)}}"])
      #expect(fetched.work[.rowStepped] == count, "\(condition)")
      let deleted = try bench.measure(
        setUp: Self.filled, steps: ["delete: {entity: Item, where: {\(condition)}, save: once}"])
      #expect(deleted.work[.rowWritten] == count, "\(condition)")
    }
    let work = try bench.measure(
      setUp: Self.filled,
      steps: [
        "fetch: {entity: Item, where: {attribute: name, match: less, object: each}, times: 5}",
        "fetch: {entity: Item, where: {attribute: name, match: greater, object: each}, times: 5}",
      ]
    ).work
    // Each object but the compared one is below or above it.
    #expect(work[.rowStepped] == 5 * 39)
  }

  @Test func `inserted objects can be linked to held objects or to fetched ones`() throws {
    let insert = "insert: {entity: Item, count: 10, link: [album], save: 5}"
    for (isHeld, statements) in [(false, 1), (true, 0)] {
      let work = try bench.measure(
        setUp: ["insert: {entity: Album, count: 5, save: once, hold: \(isHeld)}"], steps: [insert]
      ).work
      #expect(work[.relationshipSet] >= 10 && work[.rowStepped] == 5 * statements, "\(isHeld)")
    }
    let outcome = try bench.run(PublishedTableText.text(steps: [insert]))
    #expect(outcome.complaints == ["there is no object of Album to link to"])
  }

  @Test func `a fetch can read the objects to which relationships lead`() throws {
    let linked = [
      "insert: {entity: Album, count: 5, save: once, hold: true}",
      "insert: {entity: Item, count: 40, link: [album], save: once}", "release: {}", "reset: {}",
    ]
    let items = try bench.measure(setUp: linked, steps: ["fetch: {entity: Item, follow: [album]}"]).work
    #expect(items[.faultFired] == 45)
    let albums = try bench.measure(setUp: linked, steps: ["fetch: {entity: Album, follow: [items]}"]).work
    // An album's items are found without its own row.
    #expect(albums[.faultFired] == 40)
  }

  @Test func `the app's decoding is part of an insertion`() throws {
    let work = try bench.measure(steps: ["insert: {entity: Item, count: 10, decodedBytes: 70, save: 4}"]).work
    #expect(work[.recordDecoded] == 10 && work.bytes(.recordDecoded) == 700)
  }

  @Test func `a save stays in its parent if the stack does not save on`() throws {
    let row = "    topology: three-tier\n    savesOn: false"
    let insert = "insert: {entity: Item, count: 10, save: once}"
    let work = try bench.measure(
      row: row, steps: [insert, "fetch: {in: ui, entity: Item}", "fetch: {entity: Item}", "reset: {in: ui}"]
    ).work
    #expect(work[.saveBegun] == 1 && work[.insertionPushed] == 10 && work[.rowWritten] == 0)
    let saved = try bench.measure(row: row, steps: [insert, "save: {in: ui, levels: all}"]).work
    #expect(saved[.saveBegun] == 3 && saved[.rowWritten] == 10)
    let outcome = try bench.run(PublishedTableText.text(row: row, steps: [insert]))
    #expect(outcome.complaints.count == 1 && outcome.complaints[0].contains("unsaved changes in context main"))
  }

  @Test func `a stack with two coordinators imports through the second and merges into the first`() throws {
    let measured = try bench.measure(
      row: "    topology: two-coordinators\n    list: {entity: Item, sort: [number]}",
      steps: ["insert: {entity: Item, count: 10, save: 5}", "fetch: {in: ui, entity: Item}"])
    #expect(measured.work[.rowWritten] == 10 && measured.mainWork[.controllerChange] == 10)
  }

  @Test func `a stack can be described in a file beside the table`() throws {
    let folder = try TemporaryFolder()
    var topology = Topology.childOfMain
    topology.id = "mine"
    try TopologyWriter(topology).line.write(toFile: "\(folder.path)/mine.yaml", atomically: true, encoding: .utf8)
    let text = PublishedTableText.text(
      row: "    topology: mine.yaml", steps: ["insert: {entity: Item, count: 9, save: once}"])
    let table = try PublishedTableReader(place: "\(folder.path)/table.yaml").table(from: text)
    #expect(table.rows[0].topology == topology)
    #expect(try bench.run(table).measurements[0].work[.insertionPushed] == 9)
  }
}
