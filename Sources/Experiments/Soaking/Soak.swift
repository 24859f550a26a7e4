import Harness
import Metrics
import Reporting
import Topologies
import TrialProcesses
import Workloads

/// A soak of stacks, one after the other. Each has a process, in which its rounds run without pause.
///
/// Lanes import records that insert, update and delete rows, and then records that restore the rows from before. The user
/// scrolls one of two screens, and edits visible rows of both.
package struct Soak: Sendable {
  /// The soak of one stack.
  package struct Subject: Hashable, Sendable {
    package var topology: String
    package var variant: String?
    package var samples: [SoakSample] = []
    /// Sentences that say what is wrong with the data, or why the soak did not end.
    package var problems: [String] = []
    package var trends: [SoakTrend] { SoakedResource.allCases.compactMap { SoakTrend(of: $0, in: samples) } }
    /// True if the data are right and no resource grows.
    package var isFlat: Bool { problems.isEmpty && !trends.isEmpty && !trends.contains(where: \.isGrowing) }

    package init(_ topology: Topology) {
      self.topology = topology.id
      variant = topology.variant
    }

    package var name: String { [topology, variant].compactMap(\.self).joined(separator: "/") }
  }

  private let children: Children
  private let limit: SoakLimit
  private let timeLimit: Duration?
  private let progress: any ProgressDisplay
  private let plan: TrialPlan
  /// The plan of a stack that imports payloads at the same time. Its records only update rows, because the order of a
  /// row's deletion and insertion is open in it.
  private let updatingPlan: TrialPlan
  /// The largest number of records that one round imports.
  package let recordCount: Int

  /// The number of records in a payload, which is imported in two units.
  private static let payloadRecords = 40

  /// Makes the workload and the store with the existing rows.
  ///
  /// - Parameters:
  ///   - rows: The number of records that insert, update and delete rows in a round, at least one for each lane.
  ///   - lanes: The number of imports at a time.
  ///   - limit: The limit of the soak of each stack.
  ///   - timeLimit: The time after which the process of a stack counts as hung, or nil for no limit.
  ///   - children: The processes.
  ///   - progress: The display of the progress.
  /// - Throws: `RunFailure` if files cannot be written.
  package init(
    rows: Int, lanes: Int, limit: SoakLimit, timeLimit: Duration?, children: Children, progress: any ProgressDisplay
  ) throws {
    let scratch = children.scratch
    self.children = children
    self.limit = limit
    self.timeLimit = timeLimit
    self.progress = progress
    let batch = min(Self.payloadRecords, rows / lanes)
    var workload = WorkloadOptions(
      workload: .catalog, rows: rows, existingRows: .count(rows), batchSize: batch,
      mix: Mix(inserts: 34, updates: 33, deletes: 33), lanes: lanes)
    workload.restoresRows = true
    var options = RunOptions()
    options.lanes = lanes
    options.saveEvery = (batch + 1) / 2
    options.viewControllers = 2
    options.scrollSpeed = 300
    options.userEditInterval = .milliseconds(20)
    options.frameWork = .zero
    (plan, recordCount) = try Self.prepare(workload, options, in: scratch.makeFolder("restoring"))
    workload.restoresRows = nil
    workload.mix = Mix(inserts: 0, updates: 100, deletes: 0)
    updatingPlan = try Self.prepare(workload, options, in: scratch.makeFolder("updating")).plan
  }

  /// Makes a workload in an existing, empty folder, and returns the plan of its trials with the number of its records.
  private static func prepare(
    _ workload: WorkloadOptions, _ options: RunOptions, in folder: String
  ) throws -> (plan: TrialPlan, recordCount: Int) {
    let baseStore = "\(folder)/base.sqlite"
    do {
      let prepared = try PrepareTask.prepare(
        PrepareTask.Plan(
          workload: workload, isBatchSizeStandard: false, isSaveEveryStandard: false, options: options,
          archive: folder, baseStore: baseStore))
      let plan = TrialPlan(
        topology: .allMain, options: options, archive: folder, baseStore: baseStore, scratch: folder, trial: 1)
      return (plan, prepared.workload.rows ?? 0)
    } catch {
      throw RunFailure.unexpected(error, in: folder)
    }
  }

  /// Returns the task that soaks a stack.
  ///
  /// - Parameters:
  ///   - topology: The stack.
  ///   - folder: An existing, empty folder for the store.
  ///   - planted: The resource of which a test leaks some in each round, or nil.
  /// - Returns: The task.
  package func task(
    _ topology: Topology, in folder: String, planting planted: SoakedResource? = nil
  ) -> SoakTask.Plan {
    var plan = topology.importsAtOnce ? updatingPlan : plan
    plan.topology = topology
    plan.scratch = folder
    return SoakTask.Plan(trial: plan, limit: limit, planted: planted)
  }

  /// Soaks stacks, and returns what was found in each, in their order.
  ///
  /// - Throws: `RunFailure` if the computer lacks something, or `CancellationError`.
  package func run(_ topologies: [Topology]) async throws -> [Subject] {
    defer { progress.clear() }
    var subjects: [Subject] = []
    for (place, topology) in topologies.enumerated() {
      progress.show("soaking \(topology.title), \(place + 1) of \(topologies.count)")
      let folder = try children.scratch.makeFolder("soaked")
      defer { children.scratch.removeFolder(folder) }
      var subject = Subject(topology)
      do {
        let answer = try await children.answer(
          of: SoakTask.self, to: task(topology, in: folder), timeLimit: timeLimit)
        (subject.samples, subject.problems) = (answer.samples, answer.problems)
      } catch let failure as RunFailure where failure.kind == .failed {
        subject.problems = ["\(failure)"]
      }
      subjects.append(subject)
    }
    return subjects
  }
}
