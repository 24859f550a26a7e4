import ContextEngine
import Harness
import MachineCore
import MachineLive
import Metrics
import TestSupport
import Topologies

@testable import Validation

/// Runs rows of made-up published tables on the live machine.
enum PublishedBench {
  /// Returns a table of one row, with one figure over all steps.
  static func table(
    topology name: String, entities: [PublishedTable.Entity] = [], store: PublishedTable.StoreKind = .sqlite,
    list: PublishedTable.List? = nil, steps: [PublishedStep.Action]
  ) -> PublishedTable {
    guard let topology = Topology.named(name) else { trapMisuse("there is no topology \(name)") }
    let figure = PublishedTable.Figure(
      name: "all", clock: .wall, steps: Array(steps.indices), end: .rest, series: [1], role: .predicted,
      overhead: nil, band: PublishedTable.Figure.standardBand, source: "made up")
    let row = PublishedTable.Row(
      title: "row", topology: topology, store: store, party: .importing, list: list, repetitions: 1, setUp: [],
      steps: steps.map { PublishedStep(name: nil, action: $0) }, figures: [figure])
    return PublishedTable(
      name: "made-up", title: "made up", source: PublishedTable.Source(author: "me", address: "here", date: "today"),
      profile: "host", entities: entities, rows: [row], orders: [])
  }

  /// Runs the table's row. CPU times are not measured.
  static func run(
    _ table: PublishedTable, _ options: RunOptions = RunOptions(), instruments: TrialInstruments
  ) throws -> PublishedTrial.Outcome {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let work = WorkLedger()
    let machine = LiveMachine(ledger: work)
    defer { machine.stop() }
    let trial = PublishedTrial(
      plan: PublishedTrial.Plan(
        table: table, row: 0, options: options, storePath: "\(folder.path)/store.sqlite"),
      machine: machine, instruments: instruments,
      reading: { ThreadReading(cpu: .zero, mainCPU: .zero, work: WorkCounts(of: work), mainWork: WorkCounts()) })
    return try trial.run()
  }
}
