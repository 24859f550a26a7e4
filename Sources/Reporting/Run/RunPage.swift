import Foundation
import Metrics

/// The page of a run: three tables, sorted by total hitch time, the longest stalls, and notes.
///
/// A stack has two rows in a table: the medians, and below them the ends of the range of its trials or draws.
package struct RunPage: Sendable {
  package let summaries: [Summary]
  private let manifest: Manifest
  private let hitchScale: HitchScale
  private let words: CommandWords
  /// The pairs of stacks whose trials differ in the printed measures, or nil if there is no pair.
  private let separation: Separation?
  /// The ranges over devices drawn from the profile, by `printedMeasures`, or nil if no device was drawn.
  private let draws: DrawBands?
  /// The comparison of the other stacks with the reference, or nil if there is none.
  package let ratios: StackRatios?

  /// The text in the column `verified` for wrong data.
  private static let failed = "NO"
  private static let stallCount = 5

  package init(
    summaries: [Summary], manifest: Manifest, hitchScale: HitchScale, words: CommandWords,
    separation: Separation? = nil, draws: DrawBands? = nil, ratios: StackRatios? = nil
  ) {
    self.summaries = summaries.sorted { Self.rank($0) < Self.rank($1) }
    self.manifest = manifest
    self.hitchScale = hitchScale
    self.words = words
    self.separation = separation
    self.draws = draws
    self.ratios = ratios
  }

  private static func rank(_ summary: Summary) -> (Int64, Int64, String) {
    (
      summary.measures.hitchTotalNanoseconds ?? .max, summary.measures.importNanoseconds ?? .max,
      summary.identity.name
    )
  }

  /// The page. It has a single table if there is room for it; `*` marks the best value of a column.
  package var page: Page {
    // Separate tables are easier to read than one that is split at the width of the terminal.
    let parts = [felt, waited, paid].map { Page.Section([.table(table($0))]) }
    return Page(sections: [
      Page.Section([.paragraphs(heading)]),
      Page.Section([.fitting(table(felt + waited.dropFirst() + paid.dropFirst()), otherwise: parts)]),
      ratios.flatMap { RatioTable([RatioTable.Group(ratios: $0)]).section },
      Page.Section([.paragraphs(stalls, .hanging)]),
      Page.Section([.paragraphs(notes.map { PageText($0) }, .hanging)]),
    ])
  }

  private var conditions: RunConditions { RunConditions(manifest) }

  private var heading: [PageText] {
    guard let first = summaries.first?.identity else { return ["No trial ended with a result."] }
    let machine = first.profile.map { "\(first.machine) \($0)" } ?? first.machine
    let rows = "\(first.rows) rows\(conditions.changes)"
    let line: PageText = "\(first.workload), \(rows), seed \(first.seed), \(machine) machine; * = best"
    return [line, conditions.sentence.map { PageText($0) }, figures.map { PageText($0) }].compactMap(\.self)
  }

  /// The longest stalls of the shown trials, a sentence for each.
  private var stalls: [PageText] {
    let topologies = summaries.compactMap { summary in
      summary.shownTrial.map {
        TopologyRows(topology: summary.identity.topology, variant: summary.identity.variant, rows: $0.stalls)
      }
    }
    guard !topologies.isEmpty else { return [] }
    let sentences = StallSentence.longest(Self.stallCount, of: topologies)
    guard !sentences.isEmpty else { return ["No frame started more than one tick interval late."] }
    let ranges = summaries.compactMap(\.range)
    let trial =
      ranges.contains(where: \.isOfDraws)
      ? ", on the device with the profile's own values"
      : ranges.contains { $0.count > 1 } ? " of the median trials" : ""
    return ["The longest stalls\(trial):"] + sentences.map { PageText($0.text) }
  }
}

// MARK: - Tables

extension RunPage {
  /// The measures that the tables show.
  package static let printedMeasures: [any KeyPath<TrialMeasures, Int64?> & Sendable] = [
    \.hitchTotalNanoseconds, \.hitchMicrosecondsPerSecond, \.framesDroppedCount, \.stallNanosecondsP99,
    \.timeToVisibleNanosecondsP99, \.editResponseNanosecondsP99, \.mainBusyNanoseconds, \.importNanoseconds,
    \.timeToDurableNanosecondsP99, \.atRiskNanosecondsMaximum, \.heapPeakBytes, \.sqlStatementsCount,
  ]

  /// A column of a table: a title with its unit, and the text for each summary's row.
  struct Field {
    let title: String
    let alignment: PageTable.Alignment
    let text: (Summary) -> String
    var tone: (TrialMeasures) -> Page.Tone? = { _ in nil }
    /// The text below the figure, or nil for a column without a range.
    var range: ((Summary, Summary.Range) -> String)?
    /// The number whose smallest value is the best, or nil for a column without a best value.
    let rank: ((TrialMeasures) -> Int64?)?
  }

  /// The columns that show how smooth the screen is.
  var felt: [Field] {
    let scale = hitchScale
    return [
      topology,
      number("hitch ms", of: \.hitchTotalNanoseconds, per: 1_000_000),
      number("ms/s", of: \.hitchMicrosecondsPerSecond, per: 1_000),
      Field(
        title: "band", alignment: .left,
        text: { $0.measures.hitchMicrosecondsPerSecond.map { scale.band(microsecondsPerSecond: $0).rawValue } ?? "-" },
        tone: { $0.hitchMicrosecondsPerSecond.map { scale.band(microsecondsPerSecond: $0).tone } },
        range: { Self.bandShare($1, by: scale, of: $0) }, rank: nil),
      number("dropped", of: \.framesDroppedCount),
      number("stall p99 ms", of: \.stallNanosecondsP99, per: 1_000_000),
    ]
  }

  /// The columns with the times for which the user and the main queue wait.
  var waited: [Field] {
    [
      topology,
      number("visible p99 ms", of: \.timeToVisibleNanosecondsP99, per: 1_000_000),
      number("edit p99 ms", of: \.editResponseNanosecondsP99, per: 1_000_000),
      number("main busy ms", of: \.mainBusyNanoseconds, per: 1_000_000),
      number("import s", of: \.importNanoseconds, per: 1_000_000_000, digits: 2),
    ] + (conditions.showsFirstFetch ? [number("first fetch ms", of: \.firstFetchNanoseconds, per: 1_000_000)] : [])
  }

  /// The columns with the costs to the app's owner, and the verification of the data.
  var paid: [Field] {
    [
      topology,
      number("durable p99 ms", of: \.timeToDurableNanosecondsP99, per: 1_000_000),
      number("at risk ms", of: \.atRiskNanosecondsMaximum, per: 1_000_000),
      number("heap MB", of: \.heapPeakBytes, per: 1_000_000),
      number("SQL", of: \.sqlStatementsCount),
      Field(
        title: "verified", alignment: .left,
        text: { $0.measures.verified.map { $0 == 1 ? "yes" : Self.failed } ?? "-" },
        tone: { $0.verified == 1 || $0.verified == nil ? nil : .bad }, rank: nil),
    ]
  }

  private var topology: Field {
    Field(title: "topology", alignment: .left, text: { $0.identity.name }, rank: nil)
  }

  private func number(
    _ title: String, of measure: KeyPath<TrialMeasures, Int64?> & Sendable, per unit: Int64 = 1, digits: Int = 1
  ) -> Field {
    Field.number(title, of: measure, per: unit, digits: digits)
  }

  /// Returns a number as text in its unit.
  static func text(_ value: Int64, per unit: Int64, digits: Int = 1) -> String {
    // A number of five digits or more is precise enough without decimals.
    let digits = value / unit >= 10_000 ? 0 : digits
    return unit == 1 ? "\(value)" : String(format: "%.\(digits)f", Double(value) / Double(unit))
  }

  private func table(_ fields: [Field]) -> PageTable {
    let bests = fields.map(best)
    let rows = summaries.flatMap { summary in
      let figures = zip(fields, bests).map { field, best in
        var cell = PageTable.Cell(field.text(summary), tone: field.tone(summary.measures))
        cell.isBest = field.rank != nil && cell.text == best
        return cell
      }
      return [figures] + (Self.ends(of: summary, fields).map { [$0] } ?? [])
    }
    return PageTable(
      columns: fields.map {
        PageTable.Column(title: $0.title, alignment: $0.alignment, marksBest: $0.rank != nil)
      },
      rows: rows.map { .cells($0) })
  }

  /// Returns the row with the ranges of a summary, or nil if its trials do not differ.
  static func ends(of summary: Summary, _ fields: [Field]) -> [PageTable.Cell]? {
    guard let range = summary.range, range.count > 1 else { return nil }
    let ends = fields.map { PageTable.Cell($0.range?(summary, range) ?? "") }
    return ends.contains { !$0.text.isEmpty } ? ends : nil
  }

  /// Returns the number of trials or draws whose band is the median's band: `1 of 20`.
  private static func bandShare(_ range: Summary.Range, by scale: HitchScale, of summary: Summary) -> String {
    guard let median = summary.measures.hitchMicrosecondsPerSecond else { return "" }
    let band = scale.band(microsecondsPerSecond: median)
    let count = range.hitchRates.count { scale.band(microsecondsPerSecond: $0) == band }
    return "\(count) of \(range.hitchRates.count)"
  }

  /// The sentence that explains a figure and the range below it, or nil if each stack was run once.
  var figures: String? {
    guard let range = summaries.compactMap(\.range).max(by: { $0.count < $1.count }), range.count > 1 else {
      return nil
    }
    let sentence = Self.sentence(on: range)
    return range.isOfDraws ? sentence.dropLast() + ", and the number of devices in the median's band." : sentence
  }

  /// Returns the sentence on the medians and the ranges of tables.
  static func sentence(on range: Summary.Range) -> String {
    range.isOfDraws
      ? "Each figure is the median over \(range.count) devices drawn from the profile's ranges, which are the same "
        + "for every stack. Below it are the 5th and 95th percentiles."
      : "Each figure is the median of its column over \(range.count) trials. Below it are the least and the greatest "
        + "value."
  }

  /// Returns the text of the smallest number of a column, or nil if the column has no best value or all its values look
  /// the same.
  ///
  /// Numbers with the same text are equally good.
  func best(of field: Field) -> String? {
    guard let rank = field.rank else { return nil }
    let ranked = summaries.filter { rank($0.measures) != nil }
    let best = ranked.min { (rank($0.measures) ?? .max) < (rank($1.measures) ?? .max) }.map(field.text)
    return Set(ranked.map(field.text)).count > 1 ? best : nil
  }
}

extension RunPage.Field {
  /// Returns the column of a measure, whose values are divided by `unit` and have at most `digits` decimals.
  static func number(
    _ title: String, of measure: any KeyPath<TrialMeasures, Int64?> & Sendable, per unit: Int64, digits: Int
  ) -> RunPage.Field {
    RunPage.Field(
      title: title, alignment: .right,
      text: { $0.measures[keyPath: measure].map { RunPage.text($0, per: unit, digits: digits) } ?? "-" },
      range: { _, range in
        guard let low = range.low[keyPath: measure], let high = range.high[keyPath: measure] else { return "" }
        let ends = [low, high].map { RunPage.text($0, per: unit, digits: digits) }
        return ends[0] == ends[1] ? "" : ends.joined(separator: "-")
      },
      rank: { $0[keyPath: measure] })
  }
}

extension Manifest.TrialChoice {
  /// Returns the sentence on the number of trials that was chosen, which also names the option that sets the number.
  ///
  /// - Parameter option: The option that sets the number.
  /// - Returns: The sentence.
  func sentence(option: String) -> String {
    let speed = String(format: "%.1f", Double(yardstickNanoseconds) / 1_000_000)
    let reason =
      trials < most ? " instead of \(most) times, because this computer is slow" : ", as on every fast computer"
    return "Each stack was run \(trials) times\(reason) (its yardstick takes \(speed) ms). \(option) sets the number."
  }
}

// MARK: - Notes

extension RunPage {
  private var notes: [String] {
    var notes = ["ms/s = hitch time per second. \(hitchScale.legend)."]
    notes += summaries.filter { $0.measures.verified == 0 }.map {
      "\($0.identity.name): the data is wrong."
    }
    notes += summaries.compactMap(defects)
    notes += summaries.compactMap(busyRetries)
    notes += summaries.compactMap(InFlightSentence.init).map(\.text)
    notes += [digest, separationNote].compactMap(\.self) + drawNotes
    if let choice = manifest.trialChoice { notes.append(choice.sentence(option: words.trials)) }
    if let idle = manifest.idleTicks {
      let p99 = String(format: "%.2f", Double(idle.latenessNanosecondsP99) / 1_000_000)
      notes.append(
        idle.isOverLimit
          ? "Warning: the computer was too busy for valid figures: idle ticks started \(p99) ms late (p99), and the "
            + "limit is 1 ms."
          : "Idle ticks started \(p99) ms late (p99).")
    }
    if let drift = manifest.drift { notes += drift.sentences }
    if manifest.isMeasuredInMemory {
      notes.append("Warning: the store was in memory (\(manifest.fileSystem.type)), where syncs take no time.")
    }
    if manifest.isMeasuredUnoptimised {
      notes.append("Warning: this is a \(manifest.configuration) build, so the figures are not valid.")
    }
    return notes
  }

  /// The sentence on the order of the stacks on drawn devices.
  private var drawNotes: [String] {
    guard let draws, let hitch = draws.measures.first?.holdingCount else { return [] }
    return ["The ranking by total hitch is the same on \(hitch) of \(draws.drawCount) drawn devices."]
  }

  /// The sentence that says whether all stores hold the same data, or nil for a single stack.
  private var digest: String? {
    let digests = Set(summaries.map(\.measures.storeDigest))
    guard summaries.count > 1, let first = digests.first, let digest = first else { return nil }
    return digests.count == 1
      ? "All stores have the same digest: \(digest)" : "The stores hold different data: \(digests.count) digests."
  }

  private var separationNote: String? {
    guard let separation else { return nil }
    let apart = separation.pairCount - separation.alike.count
    var note =
      "\(apart) of \(separation.pairCount) pairs of stacks differ in a printed column by at least 5 % and by more "
      + "than the "
      + "trials of either stack do."
    if !separation.alike.isEmpty {
      let pairs = separation.alike.map { "\($0.first) and \($0.second)" }
      note += " No such difference was found between \(pairs.joined(separator: "; "))."
    }
    return note
  }

  /// Returns the sentence on the defects that a verified stack is allowed to show, or nil if it shows no defects.
  private func defects(of summary: Summary) -> String? {
    let named = Self.toleratedDefects(of: summary)
    return named.isEmpty
      ? nil : "\(summary.identity.name) shows defects that are expected of it: \(named.joined(separator: ", "))."
  }

  /// Returns the sentence on the statements of a stack that met a lock of another connection, or nil if there were none.
  private func busyRetries(of summary: Summary) -> String? {
    guard let count = summary.measures.busyRetriesCount, count > 0 else { return nil }
    let met = count == 1 ? "1 statement met" : "\(count) statements met"
    return "\(summary.identity.name): \(met) a lock of another connection on the file, and waited."
  }

  /// Returns the counts of tolerated defects, as in `3 stale rows`; empty if the data did not verify.
  static func toleratedDefects(of summary: Summary) -> [String] {
    guard summary.measures.verified == 1 else { return [] }
    let counts = [
      (summary.measures.lostEditsCount, "lost edit"), (summary.measures.duplicatesCount, "duplicate"),
      (summary.measures.staleRowsCount, "stale row"),
    ]
    return counts.compactMap { count, name in
      count.flatMap { $0 > 0 ? "\($0) \(name)\($0 == 1 ? "" : "s")" : nil }
    }
  }
}
