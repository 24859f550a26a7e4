import Foundation
import MachineCore
import Metrics
import Testing

@Suite struct TrialMeasuresTests {
  /// The columns as the published interface lists them.
  private let published = """
    window_ns import_ns visible_ns rows_per_second
    hitch_total_ns hitch_us_per_s ticks_count frames_dropped_count hangs_count seconds_below_30fps_count
    stall_ns_p50 stall_ns_p95 stall_ns_p99 stall_ns_max
    main_busy_ns main_cpu_ns main_decode_ns main_import_ns main_fetch_ns main_fault_ns main_push_ns main_save_ns
    main_controller_ns main_merge_ns main_reset_ns main_edit_ns main_wait_ns main_other_ns frame_busy_ns frame_cpu_ns
    frame_fault_ns frame_wait_ns total_cpu_ns
    time_to_visible_ns_p50 time_to_visible_ns_p99 time_to_visible_ns_max screens_disagree_ns
    time_to_durable_ns_p50 time_to_durable_ns_p99 time_to_durable_ns_max at_risk_ns_max edit_response_ns_p50 edit_response_ns_p99 edit_response_ns_max
    edit_at_risk_ns_max first_fetch_ns heap_peak_bytes allocated_bytes
    sql_statements_count commits_count rows_written_count rows_fetched_count faults_fired_count objects_merged_count
    perform_count perform_and_wait_count contexts_made_count merge_backlog_max conflicts_count busy_retries_count
    lost_edits_count duplicates_count stale_rows_count yardstick_ns steal_ns
    in_flight_started_count in_flight_applied_count in_flight_failed_count in_flight_discarded_count
    in_flight_cancelled_count in_flight_restored_count in_flight_wait_ns_p50 in_flight_wait_ns_max
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  @Test func `columns have the published names and order`() {
    #expect(Measure.all.map(\.name) == published)
  }

  @Test func `the name of each column matches its unit`() {
    for measure in Measure.all {
      let unit: Measure.Unit =
        switch measure.name {
        case "rows_per_second": .rowsPerSecond
        case "hitch_us_per_s": .microsecondsPerSecond
        case let name where name.contains("_ns"): .nanoseconds
        case let name where name.hasSuffix("_bytes"): .bytes
        default: .count
        }
      #expect(measure.unit == unit, "\(measure.name)")
    }
  }

  @Test func `lower is better except for throughput and columns that describe the run`() {
    #expect(Measure.all.filter { $0.better == .higher }.map(\.name) == ["rows_per_second", "in_flight_applied_count"])
    #expect(
      Measure.all.filter { $0.better == .neither }.map(\.name)
        == [
          "window_ns", "ticks_count", "frame_busy_ns", "frame_cpu_ns", "yardstick_ns", "steal_ns",
          "in_flight_started_count",
        ])
  }

  @Test func `isWork is true for exactly the columns that work counts fill`() throws {
    var measures = TrialMeasures()
    measures.set(WorkCounts(of: WorkLedger()))
    for measure in Measure.all {
      #expect((measures[keyPath: measure.keyPath] != nil) == measure.isWork, "\(measure.name)")
    }
  }

  @Test func `every column has its own key path`() throws {
    var measures = TrialMeasures()
    for (index, column) in Measure.all.enumerated() {
      measures[keyPath: column.keyPath] = Int64(index)
    }
    for (index, column) in Measure.all.enumerated() {
      #expect(measures[column.name] == Int64(index))
    }
    #expect(measures.mainWaitNanoseconds == measures["main_wait_ns"])
    let copy = try JSONDecoder().decode(TrialMeasures.self, from: JSONEncoder().encode(measures))
    #expect(copy == measures)
  }

  @Test(arguments: 1..<11 as Range<UInt64>)
  func `the main queue columns of a trial add up to main_busy_ns`(seed: UInt64) throws {
    let history = RandomMainThread(seed: seed, duration: .seconds(3))
    let payloads = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: 0)
    payloads.arrived(0, at: history.schedule.windowStart)
    payloads.durable(0, at: history.schedule.windowStart + .milliseconds(900))
    let ledgers = TrialLedgers(
      schedule: history.schedule, mainQueue: history.ledger, payloads: payloads, edits: EditLedger(capacity: 1))
    let frames = ledgers.frames
    let window = try #require(ledgers.window(frames))
    let measures = TrialMeasures(ledgers, frames: frames, window: window, rowCount: 2_000)
    let parts = Measure.all.filter {
      $0.name.hasPrefix("main_") && !["main_busy_ns", "main_cpu_ns"].contains($0.name)
    }
    #expect(parts.count == 12)
    #expect(parts.reduce(0) { $0 + (measures[keyPath: $1.keyPath] ?? 0) } == measures.mainBusyNanoseconds)
    #expect(measures.rowsPerSecond == 2_222)
    #expect(measures.visibleNanoseconds == nil)
    #expect(measures.editResponseNanosecondsP50 == nil)
    #expect(measures.windowNanoseconds == window.length.nanoseconds)
  }

  @Test func `the difference of two readings counts the work between them`() {
    let ledger = WorkLedger()
    ledger.add(Work(.statementRun, count: 5), for: .user)
    let before = WorkCounts(of: ledger)
    ledger.add(Work(.statementRun, count: 2), for: .background)
    ledger.add(Work(.changeMergedFault, count: 3), for: .user)
    ledger.add(Work(.changeMergedRealised, count: 4), for: .user)
    var measures = TrialMeasures()
    measures.set(WorkCounts(of: ledger) - before)
    #expect(measures.sqlStatementsCount == 2)
    #expect(measures.objectsMergedCount == 7)
    #expect(measures.commitsCount == 0)
    #expect(measures.mergeBacklogMaximum == nil)
  }
}

@Suite struct SummaryTests {
  private func trial(
    _ number: Int, hitch: Int64, importing: Int64 = 0, p99: Int64? = nil, verified: Int64 = 1, digest: String? = "a",
    variant: String? = nil
  ) -> TrialRecord {
    var measures = TrialMeasures()
    measures.hitchTotalNanoseconds = hitch
    measures.importNanoseconds = importing
    measures.stallNanosecondsP99 = p99
    measures.mainBusyNanoseconds = Int64(number) * 10
    measures.verified = verified
    measures.storeDigest = digest
    return TrialRecord(
      identity: TrialIdentity(
        topology: "worker-merge", variant: variant, workload: "catalog", rows: 10, seed: 1, trial: number,
        startedNanoseconds: 0),
      measures: measures)
  }

  @Test func `the shown trial is the lower median by hitch, import time and number`() {
    let three = Summary(of: [trial(1, hitch: 3), trial(2, hitch: 1), trial(3, hitch: 2)])
    #expect(three?.shownTrial?.identity.trial == 3)
    let two = Summary(of: [trial(1, hitch: 2), trial(2, hitch: 1)])
    #expect(two?.shownTrial?.identity.trial == 2)
    #expect(
      Summary(of: [
        trial(1, hitch: 0, importing: 9), trial(2, hitch: 0, importing: 7), trial(3, hitch: 0, importing: 8),
      ])?.shownTrial?.identity.trial == 3)
    let tied = Summary(of: [trial(3, hitch: 0), trial(2, hitch: 0), trial(1, hitch: 0)])
    #expect(tied?.shownTrial?.identity.trial == 2)
    #expect(Summary(of: []) == nil)
  }

  @Test func `a summary has the median and range of each column`() {
    // The order by import time differs from the order by hitches. A summary that used one trial's sums would be 11.
    let summary = Summary(of: [
      trial(1, hitch: 5, importing: 5), trial(2, hitch: 4, importing: 6), trial(3, hitch: 3, importing: 11),
      trial(4, hitch: 2, importing: 9), trial(5, hitch: 1, importing: 8),
    ])
    #expect(summary?.shownTrial?.identity.trial == 3)
    #expect(summary?.measures.importNanoseconds == 8)
    #expect(summary?.measures.hitchTotalNanoseconds == 3)
    #expect(summary?.range?.low.importNanoseconds == 5)
    #expect(summary?.range?.high.importNanoseconds == 11)
    #expect(summary?.range?.isOfDraws == false)
  }

  @Test func `a summary of draws has their median and 5th to 95th percentile`() {
    let draws = (1...20).map { trial($0, hitch: Int64(100 * $0)) }
    let summary = Summary(of: [trial(1, hitch: 0)], draws: draws)
    #expect(summary?.measures.hitchTotalNanoseconds == 1_000)
    #expect(summary?.range?.low.hitchTotalNanoseconds == 100)
    #expect(summary?.range?.high.hitchTotalNanoseconds == 1_900)
    #expect(summary?.range?.isOfDraws == true)
    #expect(summary?.shownTrial?.measures.hitchTotalNanoseconds == 0)
    #expect(Summary.summaries(of: [trial(1, hitch: 0)], draws: draws).map(\.measures.hitchTotalNanoseconds) == [1_000])
  }

  @Test func `a summary has the median of a percentile column over the trials`() {
    let summary = Summary(of: [
      trial(1, hitch: 1, p99: 50), trial(2, hitch: 2, p99: 90), trial(3, hitch: 3, p99: 70),
      trial(4, hitch: 4, p99: 60),
    ])
    #expect(summary?.shownTrial?.identity.trial == 2)
    #expect(summary?.measures.stallNanosecondsP99 == 60)
  }

  @Test func `a summary is verified only if every trial is, and marks mixed digests`() {
    #expect(Summary(of: [trial(1, hitch: 0), trial(2, hitch: 0, verified: 0)])?.measures.verified == 0)
    #expect(Summary(of: [trial(1, hitch: 0), trial(2, hitch: 0)])?.measures.storeDigest == "a")
    #expect(Summary(of: [trial(1, hitch: 0), trial(2, hitch: 0, digest: "b")])?.measures.storeDigest == "mixed")
    #expect(Summary(of: [trial(1, hitch: 0, digest: nil)])?.measures.storeDigest == nil)
  }

  @Test func `leastDisturbed averages the half of the trials with the least CPU time`() {
    func disturbed(_ number: Int, cpu: Int64?, hitch: Int64, p99: Int64? = nil, variant: String? = nil) -> TrialRecord {
      var record = trial(number, hitch: hitch, p99: p99, variant: variant)
      record.measures.totalCPUNanoseconds = cpu
      return record
    }
    let found = [
      disturbed(1, cpu: 5, hitch: 1, variant: "reset"), disturbed(1, cpu: nil, hitch: 2),
      disturbed(2, cpu: 4, hitch: 3, variant: "reset"), disturbed(3, cpu: 7, hitch: 4, p99: 1),
      disturbed(2, cpu: 7, hitch: 10),
    ].leastDisturbed
    // The least disturbed half is the lesser one of two trials, and the lesser two of three, of which the second has
    // the lower number.
    #expect(found.map(\.identity.name) == ["worker-merge/reset", "worker-merge"])
    #expect(found.map(\.identity.trial) == [2, 2])
    #expect(found.map(\.measures.hitchTotalNanoseconds) == [3, 7])
    #expect(found.map(\.measures.mainBusyNanoseconds) == [20, 25])
    #expect(found.map(\.measures.totalCPUNanoseconds) == [4, 7])
    #expect(found.map(\.measures.stallNanosecondsP99) == [nil, nil])
    #expect([disturbed(1, cpu: nil, hitch: 6)].leastDisturbed.map(\.measures.hitchTotalNanoseconds) == [6])
    #expect([TrialRecord]().leastDisturbed.isEmpty)
  }

  @Test func `each topology and variant has one summary, in order of appearance`() {
    let summaries = Summary.summaries(of: [
      trial(1, hitch: 0, variant: "reset"), trial(1, hitch: 0), trial(2, hitch: 0, variant: "reset"),
    ])
    #expect(summaries.map(\.identity.name) == ["worker-merge/reset", "worker-merge"])
  }
}
