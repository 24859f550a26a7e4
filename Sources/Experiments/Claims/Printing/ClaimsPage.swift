import Reporting

/// Claims with their figures and verdicts, as a page.
package struct ClaimsPage: Sendable {
  private let catalogue: ClaimCatalogue
  private let judged: [JudgedClaim]
  private let isWhole: Bool

  /// Creates the page of judged claims, in the order of the catalogue.
  ///
  /// - Parameters:
  ///   - judged: The claims.
  ///   - catalogue: The catalogue.
  ///   - isWhole: True if the page has all shipped claims, and begins with words on them.
  package init(_ judged: [JudgedClaim], of catalogue: ClaimCatalogue, isWhole: Bool) {
    self.judged = judged
    self.catalogue = catalogue
    self.isWhole = isWhole
  }

  package var page: Page {
    let articles = catalogue.articles.filter { article in judged.contains { $0.claim.article == article.key } }
    return Page(title: "Claims", sections: (isWhole ? [introduction] : []) + articles.flatMap(sections))
  }

  private var introduction: Page.Section {
    let verdicts = ClaimVerdict.names.compactMap { name in judged.first { $0.verdict.name == name }?.verdict }
    let counts = verdicts.map { verdict in
      "\(verdict.title) (\(judged.count { $0.verdict.name == verdict.name }))"
    }
    return Page.Section([
      .paragraphs([
        "Statements of articles about stacks of contexts, in short paraphrases, with the figures that decide them.",
        "Verdicts: \(counts.joined(separator: ", ")).",
      ])
    ])
  }

  private func sections(_ article: Article) -> [Page.Section] {
    let own = judged.filter { $0.claim.article == article.key }
    return [
      Page.Section(PageText(article.citation), [.fitting(table(own), otherwise: own.map(section))]),
      Page.Section("Commands that show these figures", isFolded: true, [.list(Page.List(nil, items(own)))]),
    ].filter { section in
      // An article may have no claim that an experiment decides.
      if case .list(let list)? = section.blocks.first { !list.items.isEmpty } else { true }
    }
  }

  private func text(_ judged: JudgedClaim) -> ClaimText {
    ClaimText(judged: judged, experiment: judged.claim.test.flatMap(catalogue.experiment(of:)))
  }

  private func table(_ own: [JudgedClaim]) -> PageTable {
    PageTable(
      of: own,
      [
        .code("claim", text: \.claim.id), PageColumn("statement") { $0.claim.statement },
        PageColumn("evidence") { $0.claim.test?.evidence.title ?? "" },
        PageColumn("figure") { judged in judged.claim.test.map { "\($0.label): \(text(judged).figure)" } ?? "" },
        PageColumn("holds if") { text($0).condition },
        PageColumn(cells: "verdict") { judged in
          PageTable.Cell(text(judged).verdict, tone: judged.verdict == .doesNotHold ? .bad : nil)
        },
      ])
  }

  /// Returns a claim as lines, for a terminal that is too narrow for the table.
  private func section(_ judged: JudgedClaim) -> Page.Section {
    let text = text(judged)
    var facts = [Page.Fact("verdict", PageText(text.verdict))]
    if let test = judged.claim.test {
      facts += [
        Page.Fact("figure", PageText("\(test.label): \(text.figure)")),
        Page.Fact("holds if", PageText("\(text.condition) (\(test.evidence.title))")),
      ]
    }
    return Page.Section([.paragraphs(["\(code: judged.claim.id): \(judged.claim.statement)"]), .facts(facts)])
  }

  private func items(_ own: [JudgedClaim]) -> [Page.Item] {
    own.flatMap { judged in judged.commands.map { Page.Item("\(code: judged.claim.id):", command: $0) } }
  }
}
