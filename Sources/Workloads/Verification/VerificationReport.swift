/// A defect that a topology may be expected to show.
package enum ToleratedDefect: String, Hashable, Sendable, Codable, CaseIterable {
  /// An acknowledged edit is absent at the end, although no later acknowledged edit overwrote it.
  case lostEdits
  /// Several rows have the same key.
  case duplicates
  /// A screen's list at rest differs from the model.
  case staleRows
  /// A row holds the content of an earlier record of its key.
  case outOfOrder
  /// Contexts of a pool hold objects that differ from the model.
  case staleObjects
}

/// The findings of the check of a store and of the lists that screens show.
package struct VerificationReport: Sendable {
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The defect that the problem is an instance of, or nil if no topology may tolerate it.
    package var defect: ToleratedDefect?
    package var sentence: String

    package var description: String { sentence }
  }

  /// The largest number of sentences that are kept for each kind of problem.
  package static let largestSentenceCount = 20

  /// The SHA-256 digest of the data that the import owns, as 64 lower-case hexadecimal digits, or an empty string if
  /// the store could not be read or if lanes share rows.
  package internal(set) var digest = ""
  /// The problems as sentences, in the order in which they were found. Only the first few of each kind are kept.
  package private(set) var problems: [Problem] = []
  /// The number of problems of each kind, including those whose sentences are not kept.
  package private(set) var problemCounts: [ToleratedDefect?: Int] = [:]
  /// The number of surplus rows: Σ (rows per key − 1).
  package internal(set) var duplicatesCount = 0
  package internal(set) var lostEditsCount = 0
  /// The number of wrong rows in all lists that were added, and of wrong objects in all pools. Each counts once.
  package private(set) var staleRowsCount = 0
  /// The rows whose last acknowledged edit is absent.
  package internal(set) var lostEdits: Set<RowName> = []
  /// The rows of the store if lanes share some of them or payloads were imported at the same time, or nil.
  package internal(set) var contents: ClosedStore?

  init() {}

  /// Adds the differences that the check of a screen's list found. The sentences begin with `screen`.
  package mutating func add(_ difference: ListChecker.Difference, screen: String) {
    staleRowsCount += difference.staleRowsCount
    for sentence in difference.sentences { keep(.staleRows, "\(screen): \(sentence)") }
    problemCounts[.staleRows, default: 0] += difference.staleRowsCount
  }

  /// Adds the differences that the check of a pool's objects found. The sentences begin with the name of the pool's
  /// contexts.
  package mutating func add(_ difference: ListChecker.Difference, pool: String) {
    staleRowsCount += difference.staleRowsCount
    for sentence in difference.sentences { keep(.staleObjects, "\(pool) holds an old object: \(sentence)") }
    problemCounts[.staleObjects, default: 0] += difference.staleRowsCount
  }

  /// Returns true if there are no problems other than tolerated defects.
  package func isVerified(tolerating tolerated: Set<ToleratedDefect> = []) -> Bool {
    problemCounts.allSatisfy { defect, count in
      count == 0 || defect.map(tolerated.contains) ?? false
    }
  }

  /// Returns the sentences about problems that are not tolerated. If more were found than are kept, a last sentence
  /// gives their number.
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

  /// Adds the problem that rows of an entity have no key, once for each row.
  mutating func addRowsWithoutKey(_ count: Int, of entity: WorkloadSchema.Entity) {
    for _ in 0..<count { add(nil, "a row of \(entity.name) has no key") }
  }

  /// Adds the problem that `count` rows have one key. The sentence begins with `title`.
  mutating func addDuplicates(_ count: Int, of title: String) {
    guard count > 1 else { return }
    add(.duplicates, "\(title) exists \(count) times", count: count - 1)
    duplicatesCount += count - 1
  }

  private mutating func keep(_ defect: ToleratedDefect?, _ sentence: @autoclosure () -> String) {
    guard problems.count(where: { $0.defect == defect }) < VerificationReport.largestSentenceCount else { return }
    problems.append(Problem(defect: defect, sentence: sentence()))
  }
}
