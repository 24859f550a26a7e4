/// Every measure of one trial; nil where it was not measured.
///
/// The columns of `trials.csv` and `summary.csv` from `window_ns` on, in their order, are declared once, in `columns`,
/// `store_digest` and `verified`.
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

  /// SHA-256 over what the import owns, as 64 lower-case hexadecimal digits; in a summary also `mixed`.
  package var storeDigest: String?
  /// 1 if the data and the screens are right, else 0.
  package var verified: Int64?

  package init() {}
}

extension TrialMeasures {
  /// A column of integers.
  package struct Column: Sendable {
    package let name: String
    package let keyPath: any WritableKeyPath<TrialMeasures, Int64?> & Sendable

    fileprivate init(_ name: String, _ keyPath: any WritableKeyPath<TrialMeasures, Int64?> & Sendable) {
      self.name = name
      self.keyPath = keyPath
    }

    /// Whether the column is an order statistic of a series within the trial.
    package var isOrderStatistic: Bool {
      ["_p50", "_p95", "_p99", "_max"].contains { name.hasSuffix($0) }
    }
  }

  /// The columns before `store_digest`, in order.
  package static let columns: [Column] = [
    Column("window_ns", \.windowNanoseconds),
    Column("import_ns", \.importNanoseconds),
    Column("visible_ns", \.visibleNanoseconds),
    Column("rows_per_second", \.rowsPerSecond),
    Column("hitch_total_ns", \.hitchTotalNanoseconds),
    Column("hitch_us_per_s", \.hitchMicrosecondsPerSecond),
    Column("ticks_count", \.ticksCount),
    Column("frames_dropped_count", \.framesDroppedCount),
    Column("hangs_count", \.hangsCount),
    Column("seconds_below_30fps_count", \.secondsBelow30FPSCount),
    Column("stall_ns_p50", \.stallNanosecondsP50),
    Column("stall_ns_p95", \.stallNanosecondsP95),
    Column("stall_ns_p99", \.stallNanosecondsP99),
    Column("stall_ns_max", \.stallNanosecondsMaximum),
    Column("main_busy_ns", \.mainBusyNanoseconds),
    Column("main_cpu_ns", \.mainCPUNanoseconds),
    Column("main_decode_ns", \.mainDecodeNanoseconds),
    Column("main_import_ns", \.mainImportNanoseconds),
    Column("main_fetch_ns", \.mainFetchNanoseconds),
    Column("main_fault_ns", \.mainFaultNanoseconds),
    Column("main_push_ns", \.mainPushNanoseconds),
    Column("main_save_ns", \.mainSaveNanoseconds),
    Column("main_controller_ns", \.mainControllerNanoseconds),
    Column("main_merge_ns", \.mainMergeNanoseconds),
    Column("main_reset_ns", \.mainResetNanoseconds),
    Column("main_edit_ns", \.mainEditNanoseconds),
    Column("main_wait_ns", \.mainWaitNanoseconds),
    Column("main_other_ns", \.mainOtherNanoseconds),
    Column("frame_busy_ns", \.frameBusyNanoseconds),
    Column("frame_cpu_ns", \.frameCPUNanoseconds),
    Column("frame_fault_ns", \.frameFaultNanoseconds),
    Column("frame_wait_ns", \.frameWaitNanoseconds),
    Column("total_cpu_ns", \.totalCPUNanoseconds),
    Column("time_to_visible_ns_p50", \.timeToVisibleNanosecondsP50),
    Column("time_to_visible_ns_p99", \.timeToVisibleNanosecondsP99),
    Column("time_to_visible_ns_max", \.timeToVisibleNanosecondsMaximum),
    Column("time_to_durable_ns_p50", \.timeToDurableNanosecondsP50),
    Column("time_to_durable_ns_p99", \.timeToDurableNanosecondsP99),
    Column("time_to_durable_ns_max", \.timeToDurableNanosecondsMaximum),
    Column("at_risk_ns_max", \.atRiskNanosecondsMaximum),
    Column("edit_response_ns_p50", \.editResponseNanosecondsP50),
    Column("edit_response_ns_p99", \.editResponseNanosecondsP99),
    Column("edit_response_ns_max", \.editResponseNanosecondsMaximum),
    Column("edit_at_risk_ns_max", \.editAtRiskNanosecondsMaximum),
    Column("heap_peak_bytes", \.heapPeakBytes),
    Column("allocated_bytes", \.allocatedBytes),
    Column("sql_statements_count", \.sqlStatementsCount),
    Column("commits_count", \.commitsCount),
    Column("rows_written_count", \.rowsWrittenCount),
    Column("rows_fetched_count", \.rowsFetchedCount),
    Column("faults_fired_count", \.faultsFiredCount),
    Column("objects_merged_count", \.objectsMergedCount),
    Column("perform_count", \.performCount),
    Column("perform_and_wait_count", \.performAndWaitCount),
    Column("contexts_made_count", \.contextsMadeCount),
    Column("merge_backlog_max", \.mergeBacklogMaximum),
    Column("conflicts_count", \.conflictsCount),
    Column("lost_edits_count", \.lostEditsCount),
    Column("duplicates_count", \.duplicatesCount),
    Column("stale_rows_count", \.staleRowsCount),
  ]

  /// The columns that follow them.
  package static let digestColumn = "store_digest"
  package static let verifiedColumn = "verified"

  /// The value of the column called `name`, but for the digest; nil also if there is no such column.
  package subscript(name: String) -> Int64? {
    if name == Self.verifiedColumn { return verified }
    return Self.columns.first { $0.name == name }.flatMap { self[keyPath: $0.keyPath] }
  }
}
