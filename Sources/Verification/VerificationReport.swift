import Workloads

/// A defect that a topology may be expected to show.
package enum ToleratedDefect: String, Hashable, Sendable, Codable, CaseIterable {
  /// An acknowledged edit is absent at the end, and no later acknowledged edit overwrote it.
  case lostEdits
  /// Several rows have one key.
  case duplicates
  /// A screen's list at rest differs from the model.
  case staleRows
  /// A row holds what an earlier record of its key said.
  case outOfOrder
}

/// What the check of a store found.
package struct VerificationReport: Sendable {
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The defect that it is an instance of; nil = nothing tolerates it.
    package var defect: ToleratedDefect?
    package var sentence: String

    package var description: String { sentence }
  }

  /// SHA-256 over what the import owns, 64 lower-case hexadecimal digits.
  package var digest: String
  /// Every problem as a sentence; of each kind the first few, for `problemCounts` has the rest.
  package var problems: [Problem]
  /// How many problems there are of each kind, those without a sentence included.
  package var problemCounts: [ToleratedDefect?: Int]
  /// Σ (rows per key − 1).
  package var duplicatesCount: Int
  package var lostEditsCount: Int
  /// The rows whose last acknowledged edit is absent.
  package var lostEdits: Set<RowName>

  /// Whether the store is right but for defects that are tolerated.
  package func isVerified(tolerating tolerated: Set<ToleratedDefect> = []) -> Bool {
    problemCounts.allSatisfy { defect, count in
      count == 0 || defect.map(tolerated.contains) ?? false
    }
  }
}
