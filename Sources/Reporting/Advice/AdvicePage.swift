import Metrics

/// The page of an answer of `advise`.
package struct AdvicePage: Sendable {
  let report: AdviceAnswer
  private let words: CommandWords
  private let isVerbose: Bool
  private let sentences: AdviceSentences
  private var advice: Advice { report.advice }

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - report: The answer.
  ///   - words: The words of the command line that the sentences use.
  ///   - isVerbose: True for the tables, the contexts and the commands in addition to the short answer.
  package init(_ report: AdviceAnswer, words: CommandWords, isVerbose: Bool = true) {
    self.report = report
    self.words = words
    self.isVerbose = isVerbose
    sentences = AdviceSentences(report: report, words: words)
  }

  package var page: Page {
    Page(
      title: "Stackbench advice: \(headline)",
      sections: (question + answer + (isVerbose || advice.advised == nil ? details : [])).compactMap(\.self))
  }

  private var question: [Page.Section?] { [Page.Section([.paragraphs([PageText(report.question.text)])])] }

  private var answer: [Page.Section?] {
    guard let advised = advice.advised else {
      return [
        Page.Section([.paragraphs(sentences.none.map { PageText($0) })]),
        Page.Section([.list(Page.List(nil, sentences.misses.map { Page.Item("\($0).") }))]),
      ]
    }
    let figures = "\(words.option("verbose")) prints all figures"
    let facts = AdviceSummary(report: report, words: words, advised: advised, figures: figures).facts
    return [Page.Section([.terms(facts)]), code.map { Page.Section([$0]) }]
  }

  /// The command that prints the code of the advised stack. It stays in one piece, unlike a term.
  private var code: Page.Block? {
    report.codeCommand.map { .commands([Page.Command("To print its Swift code", command: $0)]) }
  }

  /// Returns the blocks of the short answer and the picture of the advised stack, for the first screen of a report that
  /// has all figures below it.
  func blocks(with picture: ReportChart?) -> [Page.Block] {
    guard let advised = advice.advised else {
      return [
        .paragraphs(sentences.none.map { PageText($0) }),
        .list(Page.List(nil, sentences.misses.map { Page.Item("\($0).") })),
      ]
    }
    let summary = AdviceSummary(
      report: report, words: words, advised: advised, figures: "the sections below have all figures")
    return [.terms(summary.facts), picture.map(Page.Block.chart), code].compactMap(\.self)
  }

  /// The answer in a line.
  var headline: PageText { advice.advised.map { "take \(code: $0.name)" } ?? "no stack qualifies" }

  private var details: [Page.Section?] {
    [
      advice.advised.map { Page.Section([.paragraphs([PageText(sentences.standing(of: $0))])]) },
      Page.Section([.table(AdviceTable(advice).table)]),
      Page.Section([.paragraphs(legend)]),
      costs, uses, flips,
      Page.Section([.paragraphs(sentences.unchanged.map { PageText($0) })]),
      Page.Section([.commands([Page.Command("To print its figures", command: report.showCommand)])]),
    ]
  }
}

// MARK: - Sections

extension AdvicePage {
  private var legend: [PageText] {
    let count = advice.drawNumbers.count
    let isMissed = advice.candidates.contains { !$0.qualifies(advice.allLimits) }
    let draws: PageText =
      """
      draws = the number of the \(count) drawn devices on which the stack qualifies; first = the number on which it \
      ranks first among the stacks that qualify.
      """
    return (isMissed ? ["\(AdviceTable.missMark) = misses its limit."] : []) + (count > 0 ? [draws] : [])
      + sentences.notes.map { PageText($0) }
  }

  private var costs: Page.Section? {
    guard let advised = advice.advised, advice.candidates.count > 1 else { return nil }
    guard !advice.costs.isEmpty else {
      return Page.Section([
        .paragraphs([
          """
          What it costs: in the \(PrimaryMeasure.all.count) primary measures, no other stack is better by more than \
          the floors of \(command: words.compare).
          """
        ])
      ])
    }
    return Page.Section(
      "What \(advised.name) costs: where other stacks are better",
      [
        .table(
          PageTable(
            of: advice.costs,
            [
              PageColumn("measure") { $0.primary.title },
              PageColumn("here", .right) { AdviceSentences.value($0.value, in: $0.primary.measure.unit) },
              .code("best") { $0.best.name },
              PageColumn("there", .right) { AdviceSentences.value($0.bestValue, in: $0.primary.measure.unit) },
              PageColumn("change", .right) { cost in
                MeasureText.change(
                  Double(cost.bestValue - cost.value), from: cost.value, in: cost.primary.measure.unit)
              },
              PageColumn("others too", .right) { $0.othersCount > 0 ? "\($0.othersCount)" : "" },
            ]))
      ])
  }

  private var uses: Page.Section? {
    guard !report.uses.isEmpty else { return nil }
    let facts = report.uses.map { use in
      Page.Fact(use.purpose, "\(code: use.context). \(use.reason.sentenceCased) (\(use.source)).")
    }
    return Page.Section("Which context to use", [.terms(facts)])
  }

  private var flips: Page.Section? {
    let items = advice.variations.compactMap { variation in
      sentences.flip(at: variation).map { sentence in
        Page.Item(
          "\(code: "\(words.option(variation.point.flag)) \(variation.point.value)"): \(sentence).",
          command: variation.point.command)
      }
    }
    return items.isEmpty ? nil : Page.Section(PageText(sentences.flipsTitle), [.list(Page.List(nil, items))])
  }
}
