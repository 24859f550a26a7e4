import Harness
import Metrics

/// Checks the files of a trial that was killed.
package enum AutopsyTask: ChildTask {
  package static let name = "child-autopsy"

  /// Checks the files and returns their record. The first problem and the number of others are written to standard
  /// error; they do not fail the task.
  ///
  /// - Throws: `RunFailure` if the files cannot be checked.
  package static func answer(_ plan: TrialPlan) throws -> KilledRecord {
    do {
      let (record, problems) = try Autopsy(of: plan).run()
      if let first = problems.first {
        ErrorOutput.write(problems.count == 1 ? first : "\(first) (and \(problems.count - 1) more)")
      }
      return record
    } catch {
      throw RunFailure.unexpected(error, in: plan.scratch)
    }
  }
}
