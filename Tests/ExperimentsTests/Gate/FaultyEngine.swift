import ContextEngine
import Foundation
import Harness
import MachineCore
import Metrics
import OutputFiles
import Reporting
import TestSupport
import Topologies
import TrialProcesses

@testable import Experiments

/// A defect that a change to the engine might introduce. It is installed through observers, in every context that a
/// stack makes.
enum EngineFault: String, CaseIterable {
  /// Every object that a merge inserts or updates becomes a fault again, which is then fired.
  case faultPerMergedObject
  /// Every save on the main thread is followed by a fetch on it.
  case fetchPerSaveOnMain
  /// Registered objects are never released.
  case everyObjectKept

  /// Installs the defect in a context. `kept` is the storage that retains objects until the trial has ended.
  func install(in context: ManagedObjectContext, keeping kept: KeptObjects) {
    switch self {
    case .faultPerMergedObject:
      _ = context.observeMerges { merge in
        guard merge.stage == .ended else { return }
        for id in merge.save.insertedIDs + merge.save.updatedIDs {
          let object = merge.context.object(with: id)
          guard !object.hasChanges else { continue }
          try? merge.context.refresh(object, mergeChanges: false)
          try? object.fulfillFault()
        }
      }
    case .fetchPerSaveOnMain:
      _ = context.observeDidSave { save in
        guard save.context.machine.mainQueue.isCurrent else { return }
        var request = FetchRequest(save.context.coordinator.model.entities[0])
        request.fetchLimit = 100
        _ = try? save.context.fetch(request)
      }
    case .everyObjectKept:
      let keep: @Sendable (ManagedObjectContext) -> Void = { context in
        kept.keep(context.registeredObjects)
      }
      _ = context.observeDidSave { keep($0.context) }
      _ = context.observeMerges { if $0.stage == .ended { keep($0.context) } }
    }
  }
}

/// A storage that retains objects until it is released itself.
final class KeptObjects: Sendable {
  private let objects = Guarded<[ManagedObject]>([])

  func keep(_ more: [ManagedObject]) { objects.withLock { $0 += more } }
}

/// Gates whose runs are simulated in this process. The folder `baseline` has the plan, and is next to the other
/// folders.
struct GateFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: baseline, withIntermediateDirectories: false)
  }

  var baseline: String { "\(folder.path)/baseline" }

  /// Writes the plan of the baseline's folder.
  func write(plan: String) throws {
    try folder.write(plan, to: "baseline/gate.yaml")
  }

  /// Returns a gate with the plan of the baseline's folder.
  func gate(_ fault: EngineFault? = nil, on path: String? = nil, output: String = "fresh") throws -> Gate {
    Gate(
      baseline: GateBaseline(
        path: path ?? baseline,
        words: GateBaseline.Words(flag: "--baseline", recording: "'make baseline'", program: "stackbench gate --record")
      ),
      plan: try GatePlan(of: path ?? baseline),
      output: try OutputFolder("\(folder.path)/\(output)", flag: "--output"), words: .standard,
      progress: NoProgressDisplay(), simulate: FaultyEngine(fault: fault).simulate)
  }
}

/// Simulates a run of the gate in this process, on an engine with or without a defect, and writes its results as the
/// program does.
struct FaultyEngine {
  /// The defect of the engine, or nil if the engine is used unchanged.
  var fault: EngineFault?

  /// Simulates a run. `Gate` uses this method in place of the program's own simulation.
  @Sendable func simulate(_ experiment: Experiment, _ output: OutputFolder, _ progress: any ProgressDisplay)
    async throws -> [String]
  {
    let start = Date()
    let scratch = try ScratchFolder(in: output.path)
    defer { scratch.remove() }
    let archive = try scratch.makeFolder("workload")
    let baseStore = try scratch.makeFolder("base") + "/store.sqlite"
    let prepared = try PrepareTask.prepare(
      PrepareTask.Plan(
        workload: experiment.workload, isBatchSizeStandard: experiment.isBatchSizeStandard,
        isSaveEveryStandard: experiment.isSaveEveryStandard, options: experiment.options, archive: archive,
        baseStore: baseStore))
    var records: [TrialRecord] = []
    var draws: [TrialRecord] = []
    var complaints: [String] = []
    for (number, scheduledTrial) in experiment.scheduledTrials.enumerated() {
      guard var simulation = experiment.simulation else { throw RunFailure.failed("not simulated") }
      simulation.draw = scheduledTrial.draw
      let plan = TrialPlan(
        topology: scheduledTrial.topology, options: prepared.options, archive: archive, baseStore: baseStore,
        scratch: try scratch.makeFolder("trial-\(number)"), trial: scheduledTrial.trial,
        profile: simulation.profile.name)
      let kept = KeptObjects()
      let outcome = try SimulatedTrial(
        plan, simulation, didMakeContext: { [fault] context in fault?.install(in: context, keeping: kept) }
      ).run(WorkLedger(), MainQueueLedger(tickCapacity: 1_000))
      if scheduledTrial.draw == nil { records.append(outcome.record) } else { draws.append(outcome.record) }
      complaints += outcome.complaints
    }
    var known = experiment
    (known.workload, known.options) = (prepared.workload, prepared.options)
    let results = Results(
      experiment: known, words: .standard, fileSystem: "none",
      records: records, draws: draws, killed: [], start: start, end: Date())
    _ = try results.write(to: output)
    return complaints
  }
}
