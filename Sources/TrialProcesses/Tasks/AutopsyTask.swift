import Harness
import Metrics

/// Checks the files of a trial that was killed.
package enum AutopsyTask: ChildTask {
  package static let name = "child-autopsy"

  package struct Answer: Codable, Sendable {
    package var record: KilledRecord
    /// The first problem of the files and the number of others, or nil if there is none.
    package var problem: String?
  }

  /// Checks the files. Problems do not fail the task.
  ///
  /// - Throws: `RunFailure` if the files cannot be checked.
  package static func answer(_ plan: TrialPlan) throws -> Answer {
    do {
      let (record, problems) = try Autopsy(of: plan).run()
      return Answer(record: record, problem: problems.summary)
    } catch {
      throw RunFailure.unexpected(error, in: plan.scratch)
    }
  }
}
