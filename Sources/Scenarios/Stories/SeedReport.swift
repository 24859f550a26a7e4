import Reporting

/// The numbers of seeds on which scenarios showed their troubles, in the forms in which they are printed.
package struct SeedReport: Sendable {
  private let outcomes: [SeededOutcome]
  private let machine: ScenarioMachine

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - outcomes: The outcomes in the order in which they are printed.
  ///   - machine: The simulated machine on which the scenarios ran.
  package init(_ outcomes: [SeededOutcome], on machine: ScenarioMachine) {
    self.outcomes = outcomes
    self.machine = machine
  }

  /// Returns the text of the report in a format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - usesColour: True if a text for a terminal has colours.
  ///   - width: The number of columns of the terminal.
  /// - Returns: The text, which ends with a line break.
  /// - Throws: `EncodingError` if a value cannot be encoded as JSON.
  package func text(_ format: ScenarioFormat, usesColour: Bool, width: Int) throws -> String {
    if format == .json { return try JSONText.text(of: document) }
    return outcomes.map { outcome -> String in
      let page = page(outcome)
      if format == .markdown { return MarkdownPage(page, level: 2).text }
      let title = page.title.map { "\($0.text)\n\n" } ?? ""
      return title + TerminalPage(page, usesColour: usesColour, width: width).text
    }.joined(separator: "\n")
  }
}

// MARK: - The page

extension SeedReport {
  private func page(_ outcome: SeededOutcome) -> Page {
    let scenario = outcome.scenario
    let rows = [("trouble", outcome.trouble), ("cure", outcome.cure)]
    let table = PageTable(
      of: rows,
      [
        PageColumn("side") { $0.0 }, PageColumn("seeds", .right) { CountText.grouped($0.1.seedCount) },
        PageColumn("completed", .right) { CountText.grouped($0.1.completed) },
        PageColumn("deadlocked", .right) { CountText.grouped($0.1.deadlocked) },
        PageColumn("stopped for misuse", .right) { CountText.grouped($0.1.trapped) },
        PageColumn("failed", .right) { CountText.grouped($0.1.stopped) },
        PageColumn("trouble shown", .right) { CountText.grouped($0.1.shownCount) },
      ])
    return Page(
      title: "\(scenario.id): \(scenario.title)",
      sections: [
        Page.Section([
          .paragraphs([
            PageText(
              "Simulated on \(machine.device ?? "a device"), in virtual time, with the schedule seeds 1 to "
                + "\(CountText.grouped(outcome.trouble.seedCount)).")
          ])
        ]),
        Page.Section([.table(table)]),
        Page.Section([
          .paragraphs(rows.compactMap { Self.seeds(of: $0.0, $0.1) } + [Self.verdict(outcome)])
        ]),
      ])
  }

  /// The largest number of seeds that a sentence names.
  private static let namedCount = 10

  /// Returns a sentence that names seeds on which a side showed the trouble, or nil if there are none.
  private static func seeds(of side: String, _ counts: SeededOutcome.Counts) -> PageText? {
    guard counts.shownCount > 0 else { return nil }
    let named = counts.shownSeeds.prefix(namedCount).map { "\($0)" }.joined(separator: ", ")
    let more = counts.shownCount - namedCount
    return PageText(
      "Seeds on which the \(side) side showed the trouble: \(named)"
        + (more > 0 ? " and \(CountText.grouped(more)) more." : "."))
  }

  private static func verdict(_ outcome: SeededOutcome) -> PageText {
    guard outcome.trouble.shownCount > 0 else { return "\("The trouble showed up on none of the seeds.", .bad)" }
    guard outcome.cure.shownCount == 0 else { return "\("The cure showed the trouble too.", .bad)" }
    guard outcome.isAsDeclared else { return "\("The cure did not end by itself on every seed.", .bad)" }
    let share = "\(CountText.grouped(outcome.trouble.shownCount)) of \(CountText.grouped(outcome.trouble.seedCount))"
    return "\("The trouble showed up on \(share) seeds, and with the cure on none.", .good)"
  }
}

// MARK: - JSON

extension SeedReport {
  private struct Document: Encodable {
    let schema = 1
    var machine: String
    var profile: String?
    var scenarios: [Entry]
  }

  private struct Entry: Encodable {
    var id: String
    var title: String
    var asDeclared: Bool
    var trouble: Side
    var cure: Side
  }

  private struct Side: Encodable {
    var wiring: String
    var seeds: Int
    var completed: Int
    var deadlocked: Int
    var trapped: Int
    var stopped: Int
    var shown: Int
    var shownSeeds: [UInt64]

    init(_ side: Scenario.Side, _ counts: SeededOutcome.Counts) {
      wiring = side.wiring
      seeds = counts.seedCount
      completed = counts.completed
      deadlocked = counts.deadlocked
      trapped = counts.trapped
      stopped = counts.stopped
      shown = counts.shownCount
      shownSeeds = counts.shownSeeds
    }
  }

  private var document: Document {
    Document(
      machine: machine.kind.rawValue, profile: machine.device,
      scenarios: outcomes.map { outcome in
        Entry(
          id: outcome.scenario.id, title: outcome.scenario.title, asDeclared: outcome.isAsDeclared,
          trouble: Side(outcome.scenario.trouble, outcome.trouble), cure: Side(outcome.scenario.cure, outcome.cure))
      })
  }
}
