import ArgumentParser
import Harness
import MachineCore
import MachineLive
import Metrics

/// One trial, in a process of its own, so that it begins with a clean heap and a crash costs nothing but itself.
struct TrialCommand: ChildCommand {
  static let configuration = CommandConfiguration(
    commandName: "trial", abstract: "Runs one trial; started by 'run'.", shouldDisplay: false)

  /// The room that the main queue's ledger has at the start: ticks of ten minutes at 60 a second.
  private static let tickCapacity = 36_000

  @OptionGroup var files: PlanFiles

  func answer(_ plan: TrialPlan) throws -> TrialRecord {
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: TrialCommand.tickCapacity)
    let machine = LiveMachine(ledger: work, observer: mainQueue)
    let trial = Trial(plan: plan, machine: machine, work: work, mainQueue: mainQueue, instruments: .live)
    do {
      let (record, complaints) = try trial.run()
      if let first = complaints.first {
        StandardError.write(complaints.count == 1 ? first : "\(first) (and \(complaints.count - 1) more)")
      }
      return record
    } catch {
      throw CommandFailure.failed("\(error)")
    }
  }
}
