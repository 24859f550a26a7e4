/// The measures of one trial; each is nil if it was not measured.
///
/// `Measure.all` declares the columns of `trials.csv` and `summary.csv` that they fill, the order of the columns, and
/// the direction in which each improves. The columns `store_digest` and `verified` follow them.
package struct TrialMeasures: Hashable, Sendable, Codable {
  // The duration of the import.
  package var windowNanoseconds: Int64?
  package var importNanoseconds: Int64?
  package var visibleNanoseconds: Int64?
  package var rowsPerSecond: Int64?

  // The smoothness of the UI.
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

  // The main thread's time.
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

  // The freshness and the safety of the data.
  package var timeToVisibleNanosecondsP50: Int64?
  package var timeToVisibleNanosecondsP99: Int64?
  package var timeToVisibleNanosecondsMaximum: Int64?
  package var screensDisagreeNanoseconds: Int64?
  package var timeToDurableNanosecondsP50: Int64?
  package var timeToDurableNanosecondsP99: Int64?
  package var timeToDurableNanosecondsMaximum: Int64?
  package var atRiskNanosecondsMaximum: Int64?
  package var editResponseNanosecondsP50: Int64?
  package var editResponseNanosecondsP99: Int64?
  package var editResponseNanosecondsMaximum: Int64?
  package var editAtRiskNanosecondsMaximum: Int64?

  /// The longest time that a screen's first fetch took on the main queue, with the reading of its cells.
  package var firstFetchNanoseconds: Int64?

  // The memory that was used.
  package var heapPeakBytes: Int64?
  package var allocatedBytes: Int64?

  // The work that was done, and the errors that were found.
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
  package var busyRetriesCount: Int64?
  package var lostEditsCount: Int64?
  package var duplicatesCount: Int64?
  package var staleRowsCount: Int64?

  // The speed of the computer.
  package var yardstickNanoseconds: Int64?
  package var stealNanoseconds: Int64?

  // The computations whose input the user deletes. They are nil in a run without such work.
  package var inFlightStartedCount: Int64?
  package var inFlightAppliedCount: Int64?
  package var inFlightFailedCount: Int64?
  package var inFlightDiscardedCount: Int64?
  package var inFlightCancelledCount: Int64?
  package var inFlightRestoredCount: Int64?
  package var inFlightWaitNanosecondsP50: Int64?
  package var inFlightWaitNanosecondsMaximum: Int64?

  /// The number of SQL statements that the main thread ran. It has no column; the manifest contains it.
  package var mainStatementsCount: Int64?

  /// The SHA-256 digest of the data that the import owns, as 64 lower-case hexadecimal digits; in a summary it may also
  /// be `mixed`.
  package var storeDigest: String?
  /// 1 if the data and the screens are right; otherwise 0.
  package var verified: Int64?

  package init() {}
}

extension TrialMeasures {
  /// The columns that follow the columns of `Measure.all`.
  package static let digestColumn = "store_digest"
  package static let verifiedColumn = "verified"

  /// The value of the column with a name, or nil if it was not measured or there is no such column. The digest is not
  /// an integer, so its column has no value here.
  package subscript(name: String) -> Int64? {
    if name == Self.verifiedColumn { return verified }
    return Measure.named(name).flatMap { self[keyPath: $0.keyPath] }
  }
}
