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

}

extension SeedReport: PrintableResult {
  package static let formats = ScenarioReport.formats
  package static let titleLevel = ScenarioReport.titleLevel

  package func pages(for format: OutputFormat) -> [Page] {
    outcomes.map { format == .text ? page($0).titled : page($0) }
  }

  package var json: any Encodable {
    machine.json(
      outcomes.map { outcome in
        [
          "id": outcome.scenario.id, "title": outcome.scenario.title, "as_declared": outcome.isAsDeclared,
          "trouble": outcome.trouble.json, "cure": outcome.cure.json,
        ]
      })
  }
}

extension SeededOutcome.Counts {
  fileprivate var json: JSONObject {
    [
      "wiring": wiring, "seeds": seedCount, "completed": completed, "deadlocked": deadlocked, "trapped": trapped,
      "stopped": stopped, "shown": shownCount, "shown_seeds": shownSeeds,
    ]
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
