import ContextEngine
import Harness
import MachineCore
import Metrics
import Testing
import TrialSupport

@testable import Validation

/// Steps of made-up published tables on the live machine.
@Suite struct PublishedScriptTests {
  private static let item = PublishedTable.Entity(
    name: "Item",
    attributes: [
      PublishedTable.Attribute(
        name: "number", type: .integer64, isIndexed: false, isOptional: true, length: 0, distinctCount: nil,
        interval: 1),
      PublishedTable.Attribute(
        name: "name", type: .string, isIndexed: false, isOptional: true, length: 9, distinctCount: nil, interval: 1),
    ],
    relationships: [], uniquenessConstraints: [])

  private func run(
    _ topology: String, store: PublishedTable.StoreKind = .sqlite, list: PublishedTable.List? = nil,
    steps: [PublishedStep.Action]
  ) throws -> PublishedTrial.Outcome {
    try PublishedBench.run(
      PublishedBench.table(topology: topology, entities: [Self.item], store: store, list: list, steps: steps),
      instruments: .recording(Statements()))
  }

  private static func insertion(_ saving: PublishedStep.Saving) -> PublishedStep.Action {
    .insert(PublishedStep.Insertion(party: .importing, entity: "Item", count: 30, saving: saving, holds: false))
  }

  private static func fetch(times: Int) -> PublishedStep.Action {
    var fetch = PublishedStep.Fetch(party: .ui, entity: "Item")
    fetch.condition = PublishedStep.Condition(attribute: "number", match: .equal, object: .each)
    fetch.times = times
    return .fetch(fetch)
  }

  @Test(arguments: [
    "all-main", "worker-merge/none", "worker-merge/automatic", "worker-merge/notification", "child-of-main",
    "reversed-parent/root", "reversed-parent/child", "three-tier",
  ])
  func `rows inserted with a save each are fetched through every stack`(_ topology: String) throws {
    let outcome = try run(topology, steps: [Self.insertion(.every(1)), Self.fetch(times: 30)])
    #expect(outcome.complaints == [])
    let measured = outcome.measurements[0]
    #expect(measured.wall > .zero)
    #expect(measured.work[.rowWritten] == 30)
  }

  @Test func `a list of per-view-controller is fetched again after an import`() throws {
    let list = PublishedTable.List(entity: "Item", sortAttributes: ["number"], batchSize: 0)
    let outcome = try run("per-view-controller", list: list, steps: [Self.insertion(.every(10))])
    #expect(outcome.complaints == [])
    #expect(outcome.measurements[0].work[.rowStepped] == 30)
  }

  @Test func `two contexts import and fetch concurrently in an in-memory store`() throws {
    let together = PublishedStep.Action.together(
      importing: [PublishedStep(name: nil, action: Self.insertion(.every(3)))],
      ui: [PublishedStep(name: nil, action: Self.fetch(times: 20))])
    let outcome = try run("worker-merge", store: .memory, steps: [together])
    #expect(outcome.complaints == [])
    #expect(outcome.measurements[0].work[.saveBegun] == 10)
  }

  @Test func `values depend on the seed, and strings have the declared length`() throws {
    let table = PublishedBench.table(topology: "all-main", entities: [Self.item], steps: [])
    let (first, second) = (PublishedModel(table, seed: 1), PublishedModel(table, seed: 2))
    let name = first.entity("Item").attribute("name")
    let values = (0..<1_000).map { first.value(of: name, number: $0) }
    #expect(values == (0..<1_000).map { PublishedModel(table, seed: 1).value(of: name, number: $0) })
    #expect(values != (0..<1_000).map { second.value(of: name, number: $0) })
    #expect(Set(values).count == 1_000)
    #expect(values.allSatisfy { if case .string(let text) = $0 { text.utf8.count == 9 } else { false } })
    #expect(first.value(of: name, number: 3, generation: 1) != first.value(of: name, number: 3))
  }

  @Test func `a fetch that returns a wrong number of objects is a complaint`() {
    let findings = ScriptFindings()
    findings.check(3, of: "Item", found: 4, by: "fetch 1")
    findings.check(3, of: "Item", found: 3, by: "fetch 2")
    findings.check(3, of: "Item", found: nil, by: "fetch 3")
    #expect(findings.all == ["fetch 1 found 3 objects of Item instead of 4"])
  }
}
