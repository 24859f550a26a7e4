import Foundation
import Workloads

/// Checks a closed store file against the right answer, with plain SQLite code that knows nothing of the engine.
package struct StoreChecker: Sendable {
  private let schema: WorkloadSchema

  package init(schema: WorkloadSchema) {
    self.schema = schema
  }

  /// Reads the whole file and compares it.
  ///
  /// The file must be closed: it is opened read-only, and checkpointed by nobody.
  /// - Throws: `VerificationError` if it cannot be read at all; whatever is wrong in it is a problem of the report.
  package func check(
    storeAt file: URL, against answer: Answer, journal: EditJournal
  ) throws(VerificationError) -> VerificationReport {
    fatalError("the check is not implemented yet")
  }

  /// The digest that a right store has.
  package func digest(of answer: Answer) -> String {
    fatalError("the digest is not implemented yet")
  }
}
