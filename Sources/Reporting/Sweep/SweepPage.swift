import Metrics

/// The page of a sweep: a table with a row for each point of its grid and each stack there.
package struct SweepPage: Sendable {
  /// A point and one of its stacks.
  package struct Row: Sendable {
    /// The values of the varied flags except the topology, in the order of the flags.
    package var values: [String]
    package var summary: Summary
  }

  /// The varied flags except the topology.
  package let flags: [String]
  package let rows: [Row]
  /// The settings that all points have in common, by name.
  private let settings: [String: String]
  private let counts: Set<WorkloadCounts?>

  /// True if the table has a column with the time of the first fetch.
  private let showsFirstFetch: Bool

  /// The flags that change the first fetch of a list.
  private static let listFlags: Set = Set(
    [.list, .listCells, .listPrefetch, .listSort, .listWhere, .openScreens, .model].map {
      (name: Manifest.SettingName) in name.rawValue
    })
  private static let topologyFlag = "topology"
  /// The largest number of rows that are shown, since readers would not read more.
  private static let shownCount = 200

  /// Creates the page of a sweep.
  ///
  /// - Parameters:
  ///   - flags: The varied flags.
  ///   - rows: A row for each trial, with the values of `flags`.
  ///   - settings: The settings that all trials have in common, by name.
  package init(flags: [String], rows: [SweepTable.Row], settings: [String: String] = [:]) {
    self.settings = settings
    counts = Set(rows.map(\.record.counts))
    showsFirstFetch =
      RunConditions(settings: settings, counts: nil).showsFirstFetch || flags.contains(where: Self.listFlags.contains)
    let shown = flags.indices.filter { flags[$0] != Self.topologyFlag }
    self.flags = shown.map { flags[$0] }
    var points: [[String]] = []
    var trials: [[String]: [TrialRecord]] = [:]
    for row in rows {
      let values = shown.map { row.values[$0] }
      if trials[values] == nil { points.append(values) }
      trials[values, default: []].append(row.record)
    }
    self.rows = points.flatMap { values in
      Summary.summaries(of: trials[values] ?? []).map { Row(values: values, summary: $0) }
    }
  }

  package var page: Page {
    Page(sections: [
      Page.Section([.paragraphs([heading, conditions.sentence].compactMap(\.self).map { PageText($0) })]),
      Page.Section([.table(table(of: rows.prefix(Self.shownCount)))]),
      Page.Section([.paragraphs(notes.map { PageText($0) }, .hanging)]),
    ])
  }
}

// MARK: - Columns

extension SweepPage {
  /// Returns the table of some rows. A hyphen is shown for a measure that was not taken.
  func table(of rows: some Sequence<Row>) -> PageTable {
    typealias Column = PageColumn<Row>
    func number(
      _ title: String, _ measure: KeyPath<TrialMeasures, Int64?>, per unit: Int64 = 1, digits: Int = 1
    ) -> Column {
      Column(title, .right) { row in
        row.summary.measures[keyPath: measure].map { RunPage.text($0, per: unit, digits: digits) } ?? "-"
      }
    }
    let inFlight =
      rows.contains { $0.summary.measures.inFlightStartedCount != nil }
      ? [
        number("started", \.inFlightStartedCount), number("applied", \.inFlightAppliedCount),
        number("failed", \.inFlightFailedCount), number("discarded", \.inFlightDiscardedCount),
        number("cancelled", \.inFlightCancelledCount), number("restored", \.inFlightRestoredCount),
        number("wait p50 ms", \.inFlightWaitNanosecondsP50, per: 1_000_000),
        number("wait max ms", \.inFlightWaitNanosecondsMaximum, per: 1_000_000),
      ] : []
    let firstFetch =
      showsFirstFetch ? [number("first fetch ms", \.firstFetchNanoseconds, per: 1_000_000)] : []
    return PageTable(
      of: Array(rows), keyCount: flags.count + 1,
      flags.enumerated().map { index, flag in Column(flag) { $0.values[index] } }
        + [
          Column(Self.topologyFlag) { $0.summary.identity.name },
          number("hitch ms/s", \.hitchMicrosecondsPerSecond, per: 1_000), number("dropped", \.framesDroppedCount),
          number("import s", \.importNanoseconds, per: 1_000_000_000, digits: 2),
          number("stall p99 ms", \.stallNanosecondsP99, per: 1_000_000),
        ] + firstFetch + inFlight)
  }

  /// The rows and the list that all trials have in common.
  private var conditions: RunConditions {
    RunConditions(settings: settings, counts: counts.count == 1 ? counts.first.flatMap(\.self) : nil)
  }

  /// The workload, rows, seed and machine that all trials have in common.
  package var heading: String {
    let identities = rows.map(\.summary.identity)
    func common(_ text: (TrialIdentity) -> String?) -> String? {
      let texts = Set(identities.map(text))
      return texts.count == 1 ? texts.first.flatMap(\.self) : nil
    }
    let machine = common { identity in identity.profile.map { "\(identity.machine) \($0)" } ?? identity.machine }
    let parts = [
      common(\.workload), common { "\($0.rows) rows" }.map { $0 + conditions.changes }, common { "seed \($0.seed)" },
      (machine ?? common(\.machine)).map { "\($0) machine" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// The notes below the table.
  package var notes: [String] {
    var notes = ["ms/s = hitch time per second."]
    if rows.contains(where: { ($0.summary.range?.count ?? 1) > 1 }) {
      notes.append("Each figure is the median of its column over the trials of its row.")
    }
    notes += rows.filter { $0.summary.measures.verified == 0 }.map { row in
      "\((row.values + [row.summary.identity.name]).joined(separator: ", ")): the data is wrong."
    }
    if rows.count > Self.shownCount {
      notes.append("\(SweepTable.fileName) has \(rows.count - Self.shownCount) more rows.")
    }
    return notes
  }
}
