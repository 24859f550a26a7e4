/// Every measure of one trial; nil where it was not measured.
///
/// Which columns of `trials.csv` and `summary.csv` they are, in which order, and what each means for better or worse is
/// declared once, in `Measure.all`; `store_digest` and `verified` follow.
package struct TrialMeasures: Hashable, Sendable, Codable {
  // How long the import took.
  package var windowNanoseconds: Int64?
  package var importNanoseconds: Int64?
  package var visibleNanoseconds: Int64?
  package var rowsPerSecond: Int64?

  // How smooth the UI was.
  package var hitchTotalNanoseconds: Int64?
  package var hitchMicrosecondsPerSecond: Int64?
  package var ticksCount: Int64?
  package var framesDroppedCount: Int64?
  package var hangsCount: Int64?
  package var secondsBelow30FPSCount: Int64?
  package var stallNanosecondsP50: Int64?
  package var stallNanosecondsP95: Int64?
  package var stallNanosecondsP99: Int64?
  package var stallNanosecondsMaximum: Int64?

  // Where the main thread's time went.
  package var mainBusyNanoseconds: Int64?
  package var mainCPUNanoseconds: Int64?
  package var mainDecodeNanoseconds: Int64?
  package var mainImportNanoseconds: Int64?
  package var mainFetchNanoseconds: Int64?
  package var mainFaultNanoseconds: Int64?
  package var mainPushNanoseconds: Int64?
  package var mainSaveNanoseconds: Int64?
  package var mainControllerNanoseconds: Int64?
  package var mainMergeNanoseconds: Int64?
  package var mainResetNanoseconds: Int64?
  package var mainEditNanoseconds: Int64?
  package var mainWaitNanoseconds: Int64?
  package var mainOtherNanoseconds: Int64?
  package var frameBusyNanoseconds: Int64?
  package var frameCPUNanoseconds: Int64?
  package var frameFaultNanoseconds: Int64?
  package var frameWaitNanoseconds: Int64?
  package var totalCPUNanoseconds: Int64?

  // How fresh and how safe the data was.
  package var timeToVisibleNanosecondsP50: Int64?
  package var timeToVisibleNanosecondsP99: Int64?
  package var timeToVisibleNanosecondsMaximum: Int64?
  package var timeToDurableNanosecondsP50: Int64?
  package var timeToDurableNanosecondsP99: Int64?
  package var timeToDurableNanosecondsMaximum: Int64?
  package var atRiskNanosecondsMaximum: Int64?
  package var editResponseNanosecondsP50: Int64?
  package var editResponseNanosecondsP99: Int64?
  package var editResponseNanosecondsMaximum: Int64?
  package var editAtRiskNanosecondsMaximum: Int64?

  // What it cost.
  package var heapPeakBytes: Int64?
  package var allocatedBytes: Int64?

  // What was done, and what went wrong.
  package var sqlStatementsCount: Int64?
  package var commitsCount: Int64?
  package var rowsWrittenCount: Int64?
  package var rowsFetchedCount: Int64?
  package var faultsFiredCount: Int64?
  package var objectsMergedCount: Int64?
  package var performCount: Int64?
  package var performAndWaitCount: Int64?
  package var contextsMadeCount: Int64?
  package var mergeBacklogMaximum: Int64?
  package var conflictsCount: Int64?
  package var lostEditsCount: Int64?
  package var duplicatesCount: Int64?
  package var staleRowsCount: Int64?

  // The speed of the computer.
  package var yardstickNanoseconds: Int64?
  package var stealNanoseconds: Int64?

  /// SHA-256 over what the import owns, as 64 lower-case hexadecimal digits; in a summary also `mixed`.
  package var storeDigest: String?
  /// 1 if the data and the screens are right, else 0.
  package var verified: Int64?

  package init() {}
}

extension TrialMeasures {
  /// The columns that follow those of `Measure.all`.
  package static let digestColumn = "store_digest"
  package static let verifiedColumn = "verified"

  /// The value of the column called `name`, but for the digest; nil also if there is no such column.
  package subscript(name: String) -> Int64? {
    if name == Self.verifiedColumn { return verified }
    return Measure.named(name).flatMap { self[keyPath: $0.keyPath] }
  }
}
