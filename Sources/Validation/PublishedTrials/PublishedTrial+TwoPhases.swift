import ContextEngine
import Foundation
import Harness
import MachineCore
import Topologies
import Workloads

// MARK: - The two-phase import

extension PublishedTrial {
  /// Runs a row that consists of a two-phase import, and compares every row and link of the closed store with the
  /// workload's answer.
  func run(_ importing: PublishedStep.TwoPhaseImport) throws -> Outcome {
    let workload = TwoPhaseWorkload(
      objectCount: importing.objectCount, pageSize: importing.pageSize, seed: plan.options.seed)
    let schema = try EngineSchema(workload.schema, indexesKeys: true)
    let stores = try openStores(of: schema.model)
    let (stack, watch) = wire(stores, shown: nil)
    let importer = TwoPhaseImporter(
      TwoPhaseImporter.Setting(
        machine: machine, schema: schema, workload: workload, objectsPerSave: importing.objectsPerSave,
        lookup: plan.options.lookup, relationshipsPerSave: importing.relationshipsPerSave),
      context: stack.beginPayload(lane: 0))
    let end = StepEnd()
    let times = try measure(
      end, WatchedStack(stack, contexts: stack.lastingContexts.reversed(), watch: watch), failure: { importer.failure }
    ) { [self] in
      importer.start { [self] in end.note(machine.now, reading()) }
    }
    for store in stores { try store.close() }
    let checker = StoreChecker(schema: workload.schema)
    let report = try checker.check(
      storeAt: URL(fileURLWithPath: plan.storePath), against: workload.answer, journal: EditJournal(),
      right: RightStore(workload.answer, schema: workload.schema))
    return Outcome(
      measurements: measurements(of: [times]), complaints: report.complaints(),
      storeDigest: report.digest)
  }
}
