import MachineCore

/// The work counted in a stretch of time: a ledger's totals at its end less those at its beginning.
package struct WorkCounts: Hashable, Sendable {
  private var counts: [Int]

  /// What `ledger` has counted so far, both roles together.
  package init(of ledger: WorkLedger) {
    counts = Work.Kind.allCases.map { ledger.count($0) }
  }

  package subscript(kind: Work.Kind) -> Int {
    counts[Int(kind.rawValue)]
  }

  package static func - (later: WorkCounts, earlier: WorkCounts) -> WorkCounts {
    var difference = later
    for index in difference.counts.indices {
      difference.counts[index] -= earlier.counts[index]
    }
    return difference
  }
}

extension TrialMeasures {
  /// Fills in the columns that count reported work.
  package mutating func set(_ work: WorkCounts) {
    sqlStatementsCount = Int64(work[.statementRun])
    commitsCount = Int64(work[.commit])
    rowsWrittenCount = Int64(work[.rowWritten])
    rowsFetchedCount = Int64(work[.rowStepped])
    faultsFiredCount = Int64(work[.faultFired])
    objectsMergedCount = Int64(
      work[.changeMergedUnregistered] + work[.changeMergedFault] + work[.changeMergedRealised])
    performCount = Int64(work[.perform])
    performAndWaitCount = Int64(work[.performAndWait])
    contextsMadeCount = Int64(work[.contextMade])
    conflictsCount = Int64(work[.conflict])
  }
}
