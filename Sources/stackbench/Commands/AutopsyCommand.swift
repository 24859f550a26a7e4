import ArgumentParser
import Harness
import Metrics

/// Looks at what a killed trial left.
struct AutopsyCommand: ChildCommand {
  static let configuration = CommandConfiguration(
    commandName: "child-autopsy", abstract: "Tells what a killed trial lost; started by 'run'.", shouldDisplay: false)

  @OptionGroup var files: PlanFiles

  func answer(_ plan: TrialPlan) throws -> KilledRecord {
    do {
      let (record, problems) = try Autopsy(of: plan).run()
      if let first = problems.first {
        StandardError.write(problems.count == 1 ? first : "\(first) (and \(problems.count - 1) more)")
      }
      return record
    } catch {
      throw CommandFailure.unexpected(error, in: plan.scratch)
    }
  }
}
