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
  /// The points at which stacks are compared with the reference, each with its values.
  private let ratios: [RatioTable.Group]
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
  ///   - reference: The name of the stack with which the others are compared, or nil for no comparison.
  package init(
    flags: [String], rows: [SweepTable.Row], settings: [String: String] = [:], reference: String? = nil
  ) {
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
      let trials = trials[values] ?? []
      let draws = trials.filter { $0.simulation?.draw != nil }
      let own = trials.filter { $0.simulation?.draw == nil }
      return Summary.summaries(of: own.isEmpty ? draws : own, draws: draws).map { Row(values: values, summary: $0) }
    }
    ratios =
      reference.map { reference in
        points.compactMap { values in
          StackRatios(to: reference, of: trials[values] ?? [], by: RatioTable.measures)
            .map { RatioTable.Group(keys: values, ratios: $0) }
        }
      } ?? []
  }

  /// The section that compares the stacks at each point with the reference, or nil if there is none.
  package var comparison: Page.Section? { RatioTable(keys: flags, ratios).section }

  package var page: Page {
    Page(sections: [
      Page.Section([.paragraphs([heading, conditions.sentence].compactMap(\.self).map { PageText($0) })]),
      Page.Section([.table(table(of: rows.prefix(Self.shownCount)))]),
      comparison,
      Page.Section([.paragraphs(notes.map { PageText($0) }, .hanging)]),
    ])
  }
}

// MARK: - Columns

extension SweepPage {
  /// Returns the table of some rows. A hyphen is shown for a measure that was not taken.
  func table(of rows: some Sequence<Row>) -> PageTable {
    let number = RunPage.Field.number
    let inFlight =
      rows.contains { $0.summary.measures.inFlightStartedCount != nil }
      ? [
        number("started", \.inFlightStartedCount, 1, 1), number("applied", \.inFlightAppliedCount, 1, 1),
        number("failed", \.inFlightFailedCount, 1, 1), number("discarded", \.inFlightDiscardedCount, 1, 1),
        number("cancelled", \.inFlightCancelledCount, 1, 1), number("restored", \.inFlightRestoredCount, 1, 1),
        number("wait p50 ms", \.inFlightWaitNanosecondsP50, 1_000_000, 1),
        number("wait max ms", \.inFlightWaitNanosecondsMaximum, 1_000_000, 1),
      ] : []
    let firstFetch =
      showsFirstFetch ? [number("first fetch ms", \.firstFetchNanoseconds, 1_000_000, 1)] : []
    let fields =
      [
        RunPage.Field(title: Self.topologyFlag, alignment: .left, text: { $0.identity.name }, rank: nil),
        number("hitch ms/s", \.hitchMicrosecondsPerSecond, 1_000, 1), number("dropped", \.framesDroppedCount, 1, 1),
        number("import s", \.importNanoseconds, 1_000_000_000, 2),
        number("stall p99 ms", \.stallNanosecondsP99, 1_000_000, 1),
      ] + firstFetch + inFlight
    return PageTable(
      columns: flags.map { PageTable.Column(title: $0, alignment: .left) }
        + fields.map { PageTable.Column(title: $0.title, alignment: $0.alignment) },
      rows: rows.flatMap { row in
        let figures = row.values.map { PageTable.Cell($0) } + fields.map { PageTable.Cell($0.text(row.summary)) }
        let ends = RunPage.ends(of: row.summary, fields).map { row.values.map { _ in PageTable.Cell("") } + $0 }
        return [figures] + (ends.map { [$0] } ?? [])
      }.map { .cells($0) }, keyCount: flags.count + 1)
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
    let ranges = rows.compactMap(\.summary.range)
    if let range = ranges.max(by: { $0.count < $1.count }), range.count > 1 {
      notes.append(RunPage.sentence(on: range))
    } else if rows.contains(where: { $0.summary.identity.machine == "simulated" }) {
      notes.append(
        "Each figure is from one device, with the profile's own values, and one instant of arrival. --draws shows the "
          + "range over drawn devices.")
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
