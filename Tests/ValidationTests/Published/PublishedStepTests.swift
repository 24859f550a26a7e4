import MachineCore
import Metrics
import TestSupport
import Testing

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
    // Without an index, SQLite counts the steps from one row to the next. The last step finds no row.
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
    #expect(batch.work[.saveBegun] == 0 && batch.work[.rowWritten] == 80 && batch.work[.propertySet] == 0)
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
}
