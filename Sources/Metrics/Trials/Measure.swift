/// A column of integers in `trials.csv` and `summary.csv`: its name, its unit, and the direction in which it improves.
///
/// `all` is the only catalogue of measures. All code that reads, writes, compares or judges results uses it, so that a
/// new column is declared in one place.
package struct Measure: Sendable {
  /// The unit of a measure's values.
  package enum Unit: Hashable, Sendable {
    case nanoseconds
    case bytes
    case count
    case rowsPerSecond
    case microsecondsPerSecond

    /// The symbol behind a value of the column, or an empty text for a count.
    package var symbol: String {
      switch self {
      case .nanoseconds: "ns"
      case .bytes: "B"
      case .microsecondsPerSecond: "µs/s"
      case .rowsPerSecond: "rows/s"
      case .count: ""
      }
    }
  }

  /// The direction in which a measure improves.
  package enum Direction: Hashable, Sendable {
    case lower
    case higher
    /// The measure describes the trial and does not judge it.
    case neither
  }

  /// The name in the header of the CSV.
  package let name: String
  package let unit: Unit
  package let better: Direction
  /// The key path of the value in the measures of a trial or a summary. The value is nil if it was not measured.
  package let keyPath: any WritableKeyPath<TrialMeasures, Int64?> & Sendable
  /// True if it describes the computer during a live trial and not the trial itself. Results of earlier versions lack
  /// such columns, and simulated trials leave them empty.
  package let isOfHost: Bool
  /// True if results of earlier versions lack the column, although every trial fills it now.
  package let isLater: Bool
  /// True if it describes computations whose input the user deletes. Runs without such work leave the columns empty, and
  /// results of earlier versions lack them.
  package let isOfWorkInFlight: Bool
  /// True if the measure counts work that the engine reported. Such work can explain why a time or a size has changed.
  package let isWork: Bool
  /// The meaning in the words of the page of columns, or nil if the name and the unit say it.
  package let meaning: String?

  private init(
    _ name: String, in unit: Unit, better: Direction,
    at keyPath: any WritableKeyPath<TrialMeasures, Int64?> & Sendable, isWork: Bool = false, isOfHost: Bool = false,
    isLater: Bool = false, isOfWorkInFlight: Bool = false, meaning: String? = nil
  ) {
    self.meaning = meaning
    self.name = name
    self.unit = unit
    self.better = better
    self.keyPath = keyPath
    self.isWork = isWork
    self.isOfHost = isOfHost
    self.isLater = isLater
    self.isOfWorkInFlight = isOfWorkInFlight
  }

  /// True if the measure is an order statistic of a series within the trial.
  package var isOrderStatistic: Bool {
    ["_p50", "_p95", "_p99", "_max"].contains { name.hasSuffix($0) }
  }

  /// True if the measure counts work or wrong rows, so that no price of a device enters it directly.
  package var isCounter: Bool {
    isWork || [.lostEdits, .duplicates, .staleRows].contains(self)
  }
}

// MARK: - The catalogue

extension Measure {
  // The measures to which code refers by name.
  package static let importTime = Measure(
    "import_ns", in: .nanoseconds, better: .lower, at: \.importNanoseconds,
    meaning: "from the first arrival to the last COMMIT")
  package static let hitchTotal = Measure(
    "hitch_total_ns", in: .nanoseconds, better: .lower, at: \.hitchTotalNanoseconds,
    meaning: "the time by which frames came late, in total")
  package static let hitchRatio = Measure(
    "hitch_us_per_s", in: .microsecondsPerSecond, better: .lower, at: \.hitchMicrosecondsPerSecond,
    meaning: "the same for each second of the import")
  package static let framesDropped = Measure(
    "frames_dropped_count", in: .count, better: .lower, at: \.framesDroppedCount,
    meaning: "the number of ticks at which no frame could be posted")
  package static let stallP99 = Measure(
    "stall_ns_p99", in: .nanoseconds, better: .lower, at: \.stallNanosecondsP99,
    meaning: "from a due tick to the start of the first frame at or after it, 99th percentile")
  package static let stallMaximum = Measure(
    "stall_ns_max", in: .nanoseconds, better: .lower, at: \.stallNanosecondsMaximum)
  package static let mainBusy = Measure(
    "main_busy_ns", in: .nanoseconds, better: .lower, at: \.mainBusyNanoseconds,
    meaning: "the main queue's time outside frames, waiting included")
  package static let mainCPU = Measure("main_cpu_ns", in: .nanoseconds, better: .lower, at: \.mainCPUNanoseconds)
  package static let timeToVisibleP99 = Measure(
    "time_to_visible_ns_p99", in: .nanoseconds, better: .lower, at: \.timeToVisibleNanosecondsP99,
    meaning: "from the arrival of a payload to the frame that shows it, 99th percentile")
  package static let timeToVisibleMaximum = Measure(
    "time_to_visible_ns_max", in: .nanoseconds, better: .lower, at: \.timeToVisibleNanosecondsMaximum)
  package static let timeToDurableP99 = Measure(
    "time_to_durable_ns_p99", in: .nanoseconds, better: .lower, at: \.timeToDurableNanosecondsP99,
    meaning: "from the arrival of a payload until it survives the end of the process, 99th percentile")
  package static let atRiskMaximum = Measure(
    "at_risk_ns_max", in: .nanoseconds, better: .lower, at: \.atRiskNanosecondsMaximum,
    meaning: "the longest time for which a payload was on screen before it was durable")
  package static let editResponseP99 = Measure(
    "edit_response_ns_p99", in: .nanoseconds, better: .lower, at: \.editResponseNanosecondsP99,
    meaning: "from the instant of the user's edit to the frame that shows it, 99th percentile")
  package static let editResponseMaximum = Measure(
    "edit_response_ns_max", in: .nanoseconds, better: .lower, at: \.editResponseNanosecondsMaximum)
  package static let editAtRiskMaximum = Measure(
    "edit_at_risk_ns_max", in: .nanoseconds, better: .lower, at: \.editAtRiskNanosecondsMaximum)
  package static let heapPeak = Measure(
    "heap_peak_bytes", in: .bytes, better: .lower, at: \.heapPeakBytes,
    meaning: "the most memory that was allocated beyond the start of the import")
  package static let allocatedBytes = Measure("allocated_bytes", in: .bytes, better: .lower, at: \.allocatedBytes)
  package static let lostEdits = Measure("lost_edits_count", in: .count, better: .lower, at: \.lostEditsCount)
  package static let duplicates = Measure(
    "duplicates_count", in: .count, better: .lower, at: \.duplicatesCount,
    meaning: "the surplus rows: two rows of one key count as one")
  package static let staleRows = Measure("stale_rows_count", in: .count, better: .lower, at: \.staleRowsCount)

  /// Every measure, in the order of the columns.
  package static let all: [Measure] = [
    Measure("window_ns", in: .nanoseconds, better: .neither, at: \.windowNanoseconds),
    importTime,
    Measure("visible_ns", in: .nanoseconds, better: .lower, at: \.visibleNanoseconds),
    Measure("rows_per_second", in: .rowsPerSecond, better: .higher, at: \.rowsPerSecond),
    hitchTotal,
    hitchRatio,
    Measure("ticks_count", in: .count, better: .neither, at: \.ticksCount),
    framesDropped,
    Measure("hangs_count", in: .count, better: .lower, at: \.hangsCount),
    Measure("seconds_below_30fps_count", in: .count, better: .lower, at: \.secondsBelow30FPSCount),
    Measure("stall_ns_p50", in: .nanoseconds, better: .lower, at: \.stallNanosecondsP50),
    Measure("stall_ns_p95", in: .nanoseconds, better: .lower, at: \.stallNanosecondsP95),
    stallP99,
    stallMaximum,
    mainBusy,
    mainCPU,
    Measure("main_decode_ns", in: .nanoseconds, better: .lower, at: \.mainDecodeNanoseconds),
    Measure("main_import_ns", in: .nanoseconds, better: .lower, at: \.mainImportNanoseconds),
    Measure("main_fetch_ns", in: .nanoseconds, better: .lower, at: \.mainFetchNanoseconds),
    Measure("main_fault_ns", in: .nanoseconds, better: .lower, at: \.mainFaultNanoseconds),
    Measure("main_push_ns", in: .nanoseconds, better: .lower, at: \.mainPushNanoseconds),
    Measure("main_save_ns", in: .nanoseconds, better: .lower, at: \.mainSaveNanoseconds),
    Measure("main_controller_ns", in: .nanoseconds, better: .lower, at: \.mainControllerNanoseconds),
    Measure("main_merge_ns", in: .nanoseconds, better: .lower, at: \.mainMergeNanoseconds),
    Measure("main_reset_ns", in: .nanoseconds, better: .lower, at: \.mainResetNanoseconds),
    Measure("main_edit_ns", in: .nanoseconds, better: .lower, at: \.mainEditNanoseconds),
    Measure("main_wait_ns", in: .nanoseconds, better: .lower, at: \.mainWaitNanoseconds),
    Measure("main_other_ns", in: .nanoseconds, better: .lower, at: \.mainOtherNanoseconds),
    // These two grow with the number of posted frames: a stack that drops fewer frames spends more.
    Measure("frame_busy_ns", in: .nanoseconds, better: .neither, at: \.frameBusyNanoseconds),
    Measure("frame_cpu_ns", in: .nanoseconds, better: .neither, at: \.frameCPUNanoseconds),
    Measure("frame_fault_ns", in: .nanoseconds, better: .lower, at: \.frameFaultNanoseconds),
    Measure("frame_wait_ns", in: .nanoseconds, better: .lower, at: \.frameWaitNanoseconds),
    Measure("total_cpu_ns", in: .nanoseconds, better: .lower, at: \.totalCPUNanoseconds),
    Measure("time_to_visible_ns_p50", in: .nanoseconds, better: .lower, at: \.timeToVisibleNanosecondsP50),
    timeToVisibleP99,
    timeToVisibleMaximum,
    Measure(
      "screens_disagree_ns", in: .nanoseconds, better: .lower, at: \.screensDisagreeNanoseconds, isLater: true,
      meaning: "the time for which the screens showed lists that were fetched after different saves of the import"),
    Measure("time_to_durable_ns_p50", in: .nanoseconds, better: .lower, at: \.timeToDurableNanosecondsP50),
    timeToDurableP99,
    Measure("time_to_durable_ns_max", in: .nanoseconds, better: .lower, at: \.timeToDurableNanosecondsMaximum),
    atRiskMaximum,
    Measure("edit_response_ns_p50", in: .nanoseconds, better: .lower, at: \.editResponseNanosecondsP50),
    editResponseP99,
    editResponseMaximum,
    editAtRiskMaximum,
    Measure(
      "first_fetch_ns", in: .nanoseconds, better: .lower, at: \.firstFetchNanoseconds, isLater: true,
      meaning: "the time on the main queue for the first fetch of a list, with the reading of its visible cells"),
    heapPeak,
    allocatedBytes,
    Measure(
      "sql_statements_count", in: .count, better: .lower, at: \.sqlStatementsCount, isWork: true,
      meaning: "the number of statements run, transactions included"),
    Measure("commits_count", in: .count, better: .lower, at: \.commitsCount, isWork: true),
    Measure("rows_written_count", in: .count, better: .lower, at: \.rowsWrittenCount, isWork: true),
    Measure("rows_fetched_count", in: .count, better: .lower, at: \.rowsFetchedCount, isWork: true),
    Measure("faults_fired_count", in: .count, better: .lower, at: \.faultsFiredCount, isWork: true),
    Measure("objects_merged_count", in: .count, better: .lower, at: \.objectsMergedCount, isWork: true),
    Measure("perform_count", in: .count, better: .lower, at: \.performCount, isWork: true),
    Measure("perform_and_wait_count", in: .count, better: .lower, at: \.performAndWaitCount, isWork: true),
    Measure("contexts_made_count", in: .count, better: .lower, at: \.contextsMadeCount, isWork: true),
    Measure("merge_backlog_max", in: .count, better: .lower, at: \.mergeBacklogMaximum),
    Measure(
      "conflicts_count", in: .count, better: .lower, at: \.conflictsCount, isWork: true,
      meaning: "the objects that a save found changed by another context"),
    Measure(
      "busy_retries_count", in: .count, better: .lower, at: \.busyRetriesCount, isLater: true,
      meaning: "the statements that met a lock of another connection on the file, waited and were tried again"),
    lostEdits,
    duplicates,
    staleRows,
    Measure("yardstick_ns", in: .nanoseconds, better: .neither, at: \.yardstickNanoseconds, isOfHost: true),
    Measure("steal_ns", in: .nanoseconds, better: .neither, at: \.stealNanoseconds, isOfHost: true),
    Measure(
      "in_flight_started_count", in: .count, better: .neither, at: \.inFlightStartedCount, isOfWorkInFlight: true),
    Measure("in_flight_applied_count", in: .count, better: .higher, at: \.inFlightAppliedCount, isOfWorkInFlight: true),
    Measure("in_flight_failed_count", in: .count, better: .lower, at: \.inFlightFailedCount, isOfWorkInFlight: true),
    Measure(
      "in_flight_discarded_count", in: .count, better: .lower, at: \.inFlightDiscardedCount, isOfWorkInFlight: true),
    Measure(
      "in_flight_cancelled_count", in: .count, better: .lower, at: \.inFlightCancelledCount, isOfWorkInFlight: true),
    Measure(
      "in_flight_restored_count", in: .count, better: .lower, at: \.inFlightRestoredCount, isOfWorkInFlight: true),
    Measure(
      "in_flight_wait_ns_p50", in: .nanoseconds, better: .lower, at: \.inFlightWaitNanosecondsP50,
      isOfWorkInFlight: true),
    Measure(
      "in_flight_wait_ns_max", in: .nanoseconds, better: .lower, at: \.inFlightWaitNanosecondsMaximum,
      isOfWorkInFlight: true),
  ]

  /// The number of SQL statements that the main thread ran. It is not in the catalogue, since it is not a column but a
  /// member of the manifest.
  package static let mainStatements = Measure(
    "main_statements_count", in: .count, better: .lower, at: \.mainStatementsCount, isWork: true)

  /// Returns the measure with a name, or nil if there is no such measure.
  package static func named(_ name: String) -> Measure? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension Measure: Hashable {
  /// Returns true if the names are equal. Names are unique among measures.
  package static func == (left: Measure, right: Measure) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
