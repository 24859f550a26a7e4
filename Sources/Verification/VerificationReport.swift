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

/// What the check of a store, and of the lists that screens show, found.
package struct VerificationReport: Sendable {
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The defect that it is an instance of; nil = nothing tolerates it.
    package var defect: ToleratedDefect?
    package var sentence: String

    package var description: String { sentence }
  }

  /// How many sentences of each kind are kept.
  package static let largestSentenceCount = 20

  /// SHA-256 over what the import owns, 64 lower-case hexadecimal digits; empty if the store could not be read.
  package internal(set) var digest = ""
  /// The problems as sentences, in the order in which they were found; of each kind the first few.
  package private(set) var problems: [Problem] = []
  /// How many problems there are of each kind, those without a sentence included.
  package private(set) var problemCounts: [ToleratedDefect?: Int] = [:]
  /// Σ (rows per key − 1).
  package internal(set) var duplicatesCount = 0
  package internal(set) var lostEditsCount = 0
  /// Over all lists that were added; each row of a list counts once.
  package private(set) var staleRowsCount = 0
  /// The rows whose last acknowledged edit is absent.
  package internal(set) var lostEdits: Set<RowName> = []

  init() {}

  /// Adds what the check of a screen's list found; `screen` names it in the sentences.
  package mutating func add(_ difference: ListChecker.Difference, screen: String) {
    staleRowsCount += difference.staleRowsCount
    for sentence in difference.sentences { keep(.staleRows, "\(screen): \(sentence)") }
    problemCounts[.staleRows, default: 0] += difference.staleRowsCount
  }

  /// Whether everything is right but for defects that are tolerated.
  package func isVerified(tolerating tolerated: Set<ToleratedDefect> = []) -> Bool {
    problemCounts.allSatisfy { defect, count in
      count == 0 || defect.map(tolerated.contains) ?? false
    }
  }

  /// The sentences of what is not tolerated, the last of them saying how many more there are.
  package func complaints(tolerating tolerated: Set<ToleratedDefect> = []) -> [String] {
    let kept = problems.filter { problem in !(problem.defect.map(tolerated.contains) ?? false) }
    let count = problemCounts.reduce(0) { sum, entry in
      entry.key.map(tolerated.contains) ?? false ? sum : sum + entry.value
    }
    let more = count - kept.count
    return kept.map(\.sentence) + (more > 0 ? ["and \(more) more"] : [])
  }

  mutating func add(_ defect: ToleratedDefect?, _ sentence: @autoclosure () -> String, count: Int = 1) {
    keep(defect, sentence())
    problemCounts[defect, default: 0] += count
  }

  private mutating func keep(_ defect: ToleratedDefect?, _ sentence: @autoclosure () -> String) {
    guard problems.count(where: { $0.defect == defect }) < VerificationReport.largestSentenceCount else { return }
    problems.append(Problem(defect: defect, sentence: sentence()))
  }
}
