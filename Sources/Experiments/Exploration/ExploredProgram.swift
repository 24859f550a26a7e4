import ContextEngine
import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics
import TrialProcesses

/// A program whose schedules are explored.
package enum ExploredProgram: Codable, Sendable {
  /// An import into a stack. The trial's own folder is replaced in each run.
  case trial(TrialPlan, Simulation)
  /// A side of a scenario, which shows its trouble or does not.
  case scenario(id: String, side: Scenario.SideName, profile: Profile)
}

/// One run of a program under one schedule.
package struct ExploredRun: Sendable {
  /// The law that the run broke, as a sentence, or nil if it broke none.
  package var complaint: String?
  /// A number that is the same for runs in which each queue, each lock and the store served requests in the same order.
  package var order: UInt64
  /// The decisions of the run, in order.
  package var decisions: [ScheduleExplorer.Decision]
  /// False if the run has no edit although it should, and does not count.
  package var isComplete = true
  /// False if threads are left that wait for ever.
  package var hasEnded = true

  /// The choices that were not 0.
  package var deviations: [ScheduleSearch.Deviation] { decisions.deviations }
}

extension ExploredProgram {
  /// The virtual time after which a run counts as one that does not end.
  private static let timeLimit = TimeSpan.seconds(600)
  /// The number of events after which a run counts as one that does not end.
  private static let eventLimit = 200_000

  /// Runs the program under a schedule and checks the laws. Blocks.
  ///
  /// - Parameters:
  ///   - search: The rule that chooses the order of the threads.
  ///   - folder: An existing folder for the store. It is empty after the run.
  ///   - recorder: A recorder that gets the steps of the run, or nil.
  /// - Returns: The run.
  /// - Throws: An error that no schedule explains, such as one of the file system.
  package func run(_ search: ScheduleSearch, in folder: String, recorder: StepRecorder? = nil) throws -> ExploredRun {
    let explorer = ScheduleExplorer(search)
    var run: ExploredRun
    switch self {
    case .trial(let plan, let simulation):
      run = try Self.trial(plan, simulation, explorer, in: folder, recorder)
    case .scenario(let id, let side, let profile):
      run = try Self.scenario(id, side, profile, explorer, in: folder, recorder)
    }
    run.order = explorer.order
    run.decisions = explorer.decisions
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
    return run
  }

  private static func trial(
    _ plan: TrialPlan, _ simulation: Simulation, _ explorer: ScheduleExplorer, in folder: String,
    _ recorder: StepRecorder?
  ) throws -> ExploredRun {
    var plan = plan
    plan.scratch = folder
    var run = ExploredRun(order: 0, decisions: [])
    do {
      let (record, complaints) = try SimulatedTrial(
        plan, simulation, trace: recorder, timeLimit: timeLimit, explorer: explorer, eventLimit: eventLimit
      ).run(WorkLedger(), MainQueueLedger(tickCapacity: 100))
      run.complaint = complaints.summary
      let measures = record.measures
      run.isComplete = plan.options.userEditInterval == .zero || measures.editResponseNanosecondsMaximum != nil
      if run.complaint == nil, plan.topology.otherCoordinators.isEmpty, let count = measures.busyRetriesCount,
        count > 0
      {
        run.complaint = "\(count) statements found the store's file locked"
      }
    } catch let failure as SimulationFailure {
      run.complaint = failure.description
      run.hasEnded = false
    } catch let error as PersistenceError {
      run.complaint = "\(error.message) (\(error.code.rawValue))"
      run.hasEnded = false
    } catch let error as UnendedTrial {
      run.complaint = error.description
      run.hasEnded = false
    }
    return run
  }

  private static func scenario(
    _ id: String, _ side: Scenario.SideName, _ profile: Profile, _ explorer: ScheduleExplorer, in folder: String,
    _ recorder: StepRecorder?
  ) throws -> ExploredRun {
    guard let scenario = ScenarioLibrary.all.first(where: { $0.id == id }) else {
      throw RunFailure.failed("\(id): there is no such scenario")
    }
    let recorder = recorder ?? StepRecorder()
    var run = ExploredRun(order: 0, decisions: [])
    run.hasEnded = SideRun(
      side: scenario.side(side), machine: .simulated(profile), folder: folder, explorer: explorer,
      eventLimit: eventLimit
    ).run(recorder)
    let recorded = RecordedRun(recorder.events)
    let outcome = ScenarioOutcome(scenario, on: .live, trouble: recorded, cure: recorded)
    let isShown = side == .trouble ? outcome.troubleOccurred : !outcome.cureHelped
    guard isShown else { return run }
    let sentences = outcome.troubleFindings.filter(\.isShown).map(\.sentence)
    run.complaint = sentences.first ?? "the program ended as \(recorded.ending?.name ?? "nothing known")"
    return run
  }
}
