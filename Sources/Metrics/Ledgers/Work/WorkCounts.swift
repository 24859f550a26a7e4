import MachineCore

/// The work counted in a period of time: a ledger's totals at its end minus the totals at its beginning.
package struct WorkCounts: Hashable, Sendable, Codable {
  // The counts of one role follow those of another, each in the order of the kinds.
  private var counts: [Int]
  private var bytes: [Int]

  /// Creates counts of zero.
  package init() {
    counts = Array(repeating: 0, count: WorkRole.allCases.count * Work.Kind.allCases.count)
    bytes = counts
  }

  /// Creates the counts of a ledger so far.
  package init(of ledger: WorkLedger) {
    counts = WorkRole.allCases.flatMap { role in Work.Kind.allCases.map { ledger.count($0, for: role) } }
    bytes = WorkRole.allCases.flatMap { role in Work.Kind.allCases.map { ledger.bytes($0, for: role) } }
  }

  /// Returns the count of both roles together.
  package subscript(kind: Work.Kind) -> Int {
    WorkRole.allCases.reduce(0) { $0 + count(kind, for: $1) }
  }

  /// Returns the bytes of both roles together.
  package func bytes(_ kind: Work.Kind) -> Int {
    WorkRole.allCases.reduce(0) { $0 + bytes(kind, for: $1) }
  }

  package func count(_ kind: Work.Kind, for role: WorkRole) -> Int {
    counts[WorkCounts.index(of: kind, role: role)]
  }

  package func bytes(_ kind: Work.Kind, for role: WorkRole) -> Int {
    bytes[WorkCounts.index(of: kind, role: role)]
  }

  private static func index(of kind: Work.Kind, role: WorkRole) -> Int {
    Int(role.rawValue) * Work.Kind.allCases.count + Int(kind.rawValue)
  }

  package static func + (left: WorkCounts, right: WorkCounts) -> WorkCounts {
    var sum = left
    for index in sum.counts.indices {
      sum.counts[index] += right.counts[index]
      sum.bytes[index] += right.bytes[index]
    }
    return sum
  }

  package static func - (later: WorkCounts, earlier: WorkCounts) -> WorkCounts {
    var difference = later
    for index in difference.counts.indices {
      difference.counts[index] -= earlier.counts[index]
      difference.bytes[index] -= earlier.bytes[index]
    }
    return difference
  }
}
