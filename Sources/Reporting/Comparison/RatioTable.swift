import Foundation
import Metrics

/// The table that shows how many times as much the other stacks take as a reference.
package struct RatioTable: Sendable {
  /// Stacks under the same conditions, such as those at a point of a sweep.
  package struct Group: Sendable {
    /// The texts of the columns before the stack's name.
    package var keys: [String]
    package var ratios: StackRatios

    package init(keys: [String] = [], ratios: StackRatios) {
      self.keys = keys
      self.ratios = ratios
    }
  }

  /// The measures of the columns.
  package static let measures: [any KeyPath<TrialMeasures, Int64?> & Sendable] = columns.map(\.measure.keyPath)

  private static let columns: [(title: String, measure: Measure)] = [
    ("hitch", .hitchTotal), ("stall p99", .stallP99), ("visible p99", .timeToVisibleP99),
    ("edit p99", .editResponseP99),
    ("main busy", .mainBusy), ("import", .importTime),
  ]

  private let keys: [String]
  private let groups: [Group]

  /// Creates the table of groups with the same reference.
  ///
  /// - Parameters:
  ///   - keys: The titles of the columns before the stack's name.
  ///   - groups: The groups, from top to bottom.
  package init(keys: [String] = [], _ groups: [Group]) {
    self.keys = keys
    self.groups = groups
  }

  /// Creates the table of results that are compared with each other.
  init(to reference: String, _ results: [ComparedResult]) {
    self.init(
      keys: ["result"],
      results.compactMap { result in
        StackRatios(to: reference, of: result.trials, by: Self.measures)
          .map { Group(keys: [result.title], ratios: $0) }
      })
  }

  /// The section with a sentence and the table, or nil if no stack is compared.
  package var section: Page.Section? {
    guard let first = groups.first?.ratios else { return nil }
    let table = table
    let isInfinite = table.rows.contains { row in
      if case .cells(let cells) = row { cells.contains { $0.text.contains(Self.infinity) } } else { false }
    }
    let meaning = isInfinite ? " \(Self.infinity) = \(first.reference) takes nothing." : ""
    return Page.Section([.paragraphs([PageText(Self.sentence(on: first) + meaning)]), .table(table)])
  }

  private static func sentence(on ratios: StackRatios) -> String {
    let pairs = ratios.stacks.flatMap(\.ratios).compactMap(\.?.count).max() ?? 0
    let start = "How many times as much each stack takes as \(ratios.reference)"
    guard pairs > 1 else { return "\(start)." }
    return ratios.isOfDraws
      ? "\(start): the median over \(pairs) drawn devices, and below it the 5th and 95th percentiles."
      : "\(start): the median over \(pairs) trials, and below it the least and the greatest ratio."
  }

  /// The table. A hyphen is shown for a measure that was not taken.
  package var table: PageTable {
    let titles = keys + ["topology"]
    let rows = groups.flatMap { group in
      group.ratios.stacks.flatMap { stack -> [[PageTable.Cell]] in
        let figures = stack.ratios.map { PageTable.Cell($0.map { Self.text($0.median) } ?? "-") }
        let ends = stack.ratios.map { ratio in
          guard let ratio, ratio.low != ratio.high else { return PageTable.Cell("") }
          return PageTable.Cell("\(Self.text(ratio.low))-\(Self.text(ratio.high))")
        }
        let row = (group.keys + [stack.name]).map { PageTable.Cell($0) } + figures
        return ends.contains { !$0.text.isEmpty } ? [row, titles.map { _ in PageTable.Cell("") } + ends] : [row]
      }
    }
    return PageTable(
      columns: titles.map { PageTable.Column(title: $0, alignment: .left) }
        + Self.columns.map { PageTable.Column(title: $0.title, alignment: .right) },
      rows: rows.map { .cells($0) }, keyCount: titles.count)
  }

  private static let infinity = "∞"

  /// Returns a ratio in three digits: `0.52`, `12.0`, `131`, or `∞` if the reference takes nothing.
  static func text(_ partsPerMillion: Int64) -> String {
    guard partsPerMillion != StackRatios.Ratio.fromZero else { return infinity }
    return ChangeText.number(Double(partsPerMillion) / 1_000_000)
  }

  /// The members of a JSON document, one for each stack and measure, in parts per million. A ratio is `null` if the
  /// reference takes nothing.
  package var members: [JSONObject] {
    groups.flatMap { group in
      group.ratios.stacks.flatMap { stack in
        zip(Self.columns, stack.ratios).map { column, ratio -> JSONObject in
          [
            "topology": stack.name, "reference": group.ratios.reference, "measure": column.measure.name,
            "ratio_ppm": Self.number(ratio?.median), "low_ppm": Self.number(ratio?.low),
            "high_ppm": Self.number(ratio?.high),
          ]
        }
      }
    }
  }

  private static func number(_ partsPerMillion: Int64?) -> Int64? {
    partsPerMillion == StackRatios.Ratio.fromZero ? nil : partsPerMillion
  }
}
