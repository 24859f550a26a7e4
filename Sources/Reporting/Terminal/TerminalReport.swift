import Foundation
import Metrics
import TextTable

/// What a run prints: three tables, sorted by total hitch time, the longest stalls, and notes.
///
/// A stack has two lines in a table: medians, and below them between which ends the trials or draws lie.
///
/// A pure function of its values: whether to colour is for the caller to say.
package struct TerminalReport: Sendable {
  package var summaries: [Summary]
  package var manifest: Manifest
  package var hitchScale: HitchScale
  /// Whether the trials tell the stacks apart by what is printed; nil where there is nothing to compare.
  package var separation: Separation?
  /// What devices drawn from the profile's ranges say, by `printedMeasures`; nil where none was drawn.
  package var draws: DrawBands?
  package var usesColour: Bool
  /// The number of columns that the terminal has.
  package var width: Int

  /// What stands under `verified` where the data is wrong.
  static let failed = "NO"

  package init(
    summaries: [Summary], manifest: Manifest, hitchScale: HitchScale, separation: Separation? = nil,
    draws: DrawBands? = nil, usesColour: Bool, width: Int = WrappedText.terminalWidth
  ) {
    self.width = width
    self.summaries = summaries.sorted { Self.rank($0) < Self.rank($1) }
    self.manifest = manifest
    self.hitchScale = hitchScale
    self.separation = separation
    self.draws = draws
    self.usesColour = usesColour
  }

  private static func rank(_ summary: Summary) -> (Int64, Int64, String) {
    (
      summary.measures.hitchTotalNanoseconds ?? .max, summary.measures.importNanoseconds ?? .max,
      summary.identity.name
    )
  }

  /// Tables that are no wider than the terminal, or a single one where it has the room; `*` marks the best of a column.
  package var text: String {
    let whole = table(felt + waited.dropFirst() + paid.dropFirst())
    // Apart they are easier to read than one that is broken where the terminal ends.
    let tables = whole.contains("\n\n") ? [felt, waited, paid].map(table) : [whole]
    return ([heading] + tables + [stallText, WrappedText.text(notes, width: width, hanging: 2)])
      .joined(separator: "\n")
  }

  private var heading: String {
    guard let first = summaries.first?.identity else { return "No trial came to an end.\n" }
    let machine = first.profile.map { "\(first.machine) \($0)" } ?? first.machine
    let line = "\(first.workload), \(first.rows) rows, seed \(first.seed), \(machine) machine; * = best"
    return WrappedText.text([line], width: width)
      + (summaries.compactMap(\.range).contains { $0.count > 1 } ? WrappedText.text([figures], width: width) : "")
  }
}

// MARK: - Tables

extension TerminalReport {
  /// The measures that the tables show.
  package static let printedMeasures: [any KeyPath<TrialMeasures, Int64?> & Sendable] = [
    \.hitchTotalNanoseconds, \.hitchMicrosecondsPerSecond, \.framesDroppedCount, \.stallNanosecondsP99,
    \.timeToVisibleNanosecondsP99, \.editResponseNanosecondsP99, \.mainBusyNanoseconds, \.importNanoseconds,
    \.timeToDurableNanosecondsP99, \.atRiskNanosecondsMaximum, \.heapPeakBytes, \.sqlStatementsCount,
  ]

  /// A column of a table: a title with its unit, and what stands in a summary's row.
  struct Field {
    let title: String
    let alignment: Alignment
    let text: (Summary) -> String
    /// What stands below it; nil in a column without a range.
    var range: ((Summary, Summary.Range) -> String)?
    /// The number of which the smallest is the best; nil in a column without a best.
    let rank: ((TrialMeasures) -> Int64?)?
  }

  /// How smooth the screen is.
  var felt: [Field] {
    let scale = hitchScale
    return [
      topology,
      number("hitch ms", \.hitchTotalNanoseconds, per: 1_000_000),
      number("ms/s", \.hitchMicrosecondsPerSecond, per: 1_000),
      Field(
        title: "band", alignment: .left,
        text: { $0.measures.hitchMicrosecondsPerSecond.map { scale.band(microsecondsPerSecond: $0).rawValue } ?? "-" },
        range: { Self.bandShare($1, scale, of: $0) }, rank: nil),
      number("dropped", \.framesDroppedCount),
      number("stall p99 ms", \.stallNanosecondsP99, per: 1_000_000),
    ]
  }

  /// For what user and main queue wait.
  var waited: [Field] {
    [
      topology,
      number("visible p99 ms", \.timeToVisibleNanosecondsP99, per: 1_000_000),
      number("edit p99 ms", \.editResponseNanosecondsP99, per: 1_000_000),
      number("main busy ms", \.mainBusyNanoseconds, per: 1_000_000),
      number("import s", \.importNanoseconds, per: 1_000_000_000, digits: 2),
    ]
  }

  /// What its owner pays.
  var paid: [Field] {
    [
      topology,
      number("durable p99 ms", \.timeToDurableNanosecondsP99, per: 1_000_000),
      number("at risk ms", \.atRiskNanosecondsMaximum, per: 1_000_000),
      number("heap MB", \.heapPeakBytes, per: 1_000_000),
      number("SQL", \.sqlStatementsCount),
      Field(
        title: "verified", alignment: .left,
        text: { $0.measures.verified.map { $0 == 1 ? "yes" : Self.failed } ?? "-" }, rank: nil),
    ]
  }

  private var topology: Field {
    Field(title: "topology", alignment: .left, text: { $0.identity.name }, rank: nil)
  }

  private func number(
    _ title: String, _ measure: KeyPath<TrialMeasures, Int64?> & Sendable, per unit: Int64 = 1, digits: Int = 1
  ) -> Field {
    Field(
      title: title, alignment: .right,
      text: { $0.measures[keyPath: measure].map { Self.text($0, per: unit, digits: digits) } ?? "-" },
      range: { _, range in
        guard let low = range.low[keyPath: measure], let high = range.high[keyPath: measure] else { return "" }
        let ends = [low, high].map { Self.text($0, per: unit, digits: digits) }
        return ends[0] == ends[1] ? "" : ends.joined(separator: "-")
      },
      rank: { $0[keyPath: measure] })
  }

  /// How a number reads in its unit.
  static func text(_ value: Int64, per unit: Int64, digits: Int = 1) -> String {
    // From five digits on, decimals tell nothing more.
    let digits = value / unit >= 10_000 ? 0 : digits
    return unit == 1 ? "\(value)" : String(format: "%.\(digits)f", Double(value) / Double(unit))
  }

  private func table(_ fields: [Field]) -> String {
    let bests = fields.map(best)
    let table = TerminalTable<[String]>(width: width) { texts in
      zip(fields, texts).map { TerminalCell(title: $0.title, value: $1, align: $0.alignment) }
    }
    let lines = summaries.flatMap { summary in
      let figures = zip(fields, bests).map { field, best in
        let text = field.text(summary)
        // A place for the mark behind each number, so that digits stay below digits.
        return text + (field.rank == nil ? "" : text == best ? "*" : " ")
      }
      guard let range = summary.range, range.count > 1 else { return [figures] }
      let ends = fields.map { field in
        let text = field.range?(summary, range) ?? ""
        return text + (field.rank == nil || text.isEmpty ? "" : " ")
      }
      return ends.contains { !$0.isEmpty } ? [figures, ends] : [figures]
    }
    return table.text(for: lines, usesColour: usesColour)
  }

  /// In how many trials or draws the median's band is that of the trial: `good in 1 of 20`.
  private static func bandShare(_ range: Summary.Range, _ scale: HitchScale, of summary: Summary) -> String {
    guard let median = summary.measures.hitchMicrosecondsPerSecond else { return "" }
    let band = scale.band(microsecondsPerSecond: median)
    let count = range.hitchRates.count { scale.band(microsecondsPerSecond: $0) == band }
    return "\(count) of \(range.hitchRates.count)"
  }

  /// What the two lines of a stack say.
  private var figures: String {
    guard let range = summaries.compactMap(\.range).max(by: { $0.count < $1.count }) else { return "" }
    return range.isOfDraws
      ? "Each figure is the median over \(range.count) devices drawn from the profile's ranges, the same for every stack; "
        + "below it their 5 to 95 %, and how many of them are in the median's band."
      : "Each figure is the median of its column over \(range.count) trials; below it their least and greatest."
  }

  /// How the smallest number of a column reads; nil if there is nothing to choose between.
  ///
  /// Numbers that read the same are equally good.
  func best(of field: Field) -> String? {
    guard let rank = field.rank else { return nil }
    let ranked = summaries.filter { rank($0.measures) != nil }
    let best = ranked.min { (rank($0.measures) ?? .max) < (rank($1.measures) ?? .max) }.map(field.text)
    return Set(ranked.map(field.text)).count > 1 ? best : nil
  }
}

extension Manifest.TrialChoice {
  /// The sentence that says what was chosen, and why.
  var sentence: String {
    let speed = String(format: "%.1f", Double(yardstickNanoseconds) / 1_000_000)
    let reason =
      trials < most
      ? "fewer than \(most), so that the run is short on this computer" : "as many as on any fast computer"
    return "Each stack was run \(trials) times: \(reason) (its yardstick takes \(speed) ms). --trials sets the number."
  }
}

// MARK: - Notes

extension TerminalReport {
  private var notes: [String] {
    var notes = ["ms/s = hitch time per second. \(hitchScale.legend)."]
    notes += summaries.filter { $0.measures.verified == 0 }.map {
      "\($0.identity.name): the data is not right."
    }
    notes += summaries.compactMap(defects)
    notes += [digest, separationNote].compactMap(\.self) + drawNotes
    if let choice = manifest.trialChoice { notes.append(choice.sentence) }
    if let idle = manifest.idleTicks {
      let p99 = String(format: "%.2f", Double(idle.latenessNanosecondsP99) / 1_000_000)
      notes.append(
        idle.isOverLimit
          ? "Warning: idle ticks start \(p99) ms late (p99), more than 1 ms: the host is too busy for these figures."
          : "Idle ticks start \(p99) ms late (p99).")
    }
    if let drift = manifest.drift { notes += drift.sentences }
    if manifest.fileSystem.isTmpfs {
      notes.append("Warning: the store lay in memory (\(manifest.fileSystem.type)): syncs cost nothing here.")
    }
    if manifest.configuration != "release" {
      notes.append("Warning: a \(manifest.configuration) build: no figure means anything.")
    }
    return notes
  }

  /// Whether all stores hold the same data.
  private var digest: String? {
    let digests = Set(summaries.map(\.measures.storeDigest))
    guard summaries.count > 1, let first = digests.first, let digest = first else { return nil }
    return digests.count == 1
      ? "One store digest: \(digest)" : "The stores hold different data: \(digests.count) digests."
  }

  private var separationNote: String? {
    guard let separation else { return nil }
    let rule = "medians 5 % and more than either spread apart in a printed column"
    let apart = separation.pairCount - separation.alike.count
    var note = "Told apart (\(rule)): \(apart) of \(separation.pairCount) pairs."
    if !separation.alike.isEmpty {
      note += " Alike: " + separation.alike.map { "\($0.first) and \($0.second)" }.joined(separator: "; ") + "."
    }
    return note
  }

  /// What a topology that verified was allowed to get wrong.
  private func defects(of summary: Summary) -> String? {
    let named = Self.toleratedDefects(of: summary)
    return named.isEmpty
      ? nil : "\(summary.identity.name) shows defects that it tolerates: \(named.joined(separator: ", "))."
  }

  /// The same as counts: `3 stale rows`.
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
