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
    let document = ScenarioDocument(
      machine,
      outcomes.map {
        Entry(
          id: $0.scenario.id, title: $0.scenario.title, asDeclared: $0.isAsDeclared, trouble: $0.trouble, cure: $0.cure)
      })
    return try format.text(of: outcomes.map(page), document, usesColour: usesColour, width: width)
  }

  private struct Entry: Encodable {
    var id: String
    var title: String
    var asDeclared: Bool
    var trouble: SeededOutcome.Counts
    var cure: SeededOutcome.Counts
  }
}

// MARK: - The page

extension SeedReport {
  private func page(_ outcome: SeededOutcome) -> Page {
    let scenario = outcome.scenario
    let rows = [("trouble", outcome.trouble), ("cure", outcome.cure)]
    let counts: [(String, KeyPath<SeededOutcome.Counts, Int>)] = [
      ("seeds", \.seedCount), ("completed", \.completed), ("deadlocked", \.deadlocked),
      ("stopped for misuse", \.trapped), ("failed", \.stopped), ("trouble shown", \.shownCount),
    ]
    var columns: [PageColumn<(String, SeededOutcome.Counts)>] = [PageColumn("side") { $0.0 }]
    columns += counts.map { title, count in PageColumn(title, .right) { CountText.grouped($0.1[keyPath: count]) } }
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
        Page.Section([.table(PageTable(of: rows, columns))]),
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
