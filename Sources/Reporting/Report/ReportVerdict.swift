import Metrics

/// The verdict on a run in sentences: which stack is best and by how much, which are unacceptable and why, whether the
/// data is right, and how far all of this can be trusted.
///
/// The verdict depends on the result only.
struct ReportVerdict: Hashable, Sendable {
  /// The verdict in a line.
  let headline: String
  let statements: [Page.Statement]
  /// The names of the stacks that the verdict recommends; more than one if no difference between them was found.
  let leaders: [String]

  init(_ result: ReportedResult) {
    let judgements = result.summaries.map { StackJudgement($0, of: result) }
    // Figures of wrong data mean nothing; what is acceptable, and does all that it should, comes before what is not.
    let verified = judgements.filter(\.isVerified)
    let tiers = [verified.filter { $0.isAcceptable && $0.isWhole }, verified.filter(\.isAcceptable), verified]
    let candidates = tiers.first { !$0.isEmpty } ?? []
    let ranking = AdviceRanking(candidates.map(\.summary), of: result)
    headline = Self.headline(judgements, ranking)
    leaders = ranking.leaders
    statements =
      [Self.best(judgements, ranking, result)] + Self.bands(judgements, result.hitchScale) + [
        Self.data(judgements, result)
      ]
      + Self.caveats(result, ranking)
  }
}

// MARK: - Which one

extension ReportVerdict {
  private static func headline(_ judgements: [StackJudgement], _ ranking: AdviceRanking) -> String {
    guard judgements.contains(where: \.isVerified) else { return "No verdict: the data is wrong" }
    guard let first = ranking.leaders.first else { return "No verdict: hitches were not measured" }
    let isAcceptable = judgements.contains { $0.isAcceptable }
    if judgements.count == 1 { return "\(first) is \(isAcceptable ? "acceptable" : "unacceptable")" }
    if !isAcceptable { return "No stack is acceptable; best: \(joined(ranking.leaders))" }
    guard ranking.leaders.count > 1 else { return "Best: \(first)" }
    return "No difference was found between \(joined(ranking.leaders))"
  }

  private static func best(
    _ judgements: [StackJudgement], _ ranking: AdviceRanking, _ result: ReportedResult
  ) -> Page.Statement {
    guard judgements.count > 1 else {
      return Page.Statement(
        tone: nil, title: "Best", sentences: ["Only one stack was run, so there is no comparison."])
    }
    guard !ranking.steps.isEmpty else {
      return Page.Statement(tone: .bad, title: "Best", sentences: ["No stack has figures that can be ranked."])
    }
    let isAcceptable = judgements.contains(where: \.isAcceptable)
    var sentences = ranking.steps.enumerated().map { index, step in sentence(step, isFirst: index == 0) }
    if isAcceptable, judgements.contains(where: { !$0.isAcceptable || !$0.isWhole }) {
      let isWhole = judgements.contains { $0.isAcceptable && !$0.isWhole }
      sentences[0] = "Among the acceptable stacks\(isWhole ? " that show the right rows" : ""): " + sentences[0]
    }
    if ranking.leaders.count > 1 {
      sentences.append(
        "No difference was found between \(joined(ranking.leaders)). Take the one that is simplest to write.")
    }
    if ranking.steps.contains(where: { $0.leaders.count > 1 }) {
      sentences.append(closeness(result.roles.words))
    }
    let tone: Page.Tone? = !isAcceptable ? .bad : ranking.leaders.count > 1 ? nil : .good
    return Page.Statement(tone: tone, title: "Best", sentences: sentences)
  }

  /// Returns the sentence on the ranking by one measure, such as `a has the least hitch time: 0 in total; next is b
  /// with 8.333 ms.`
  private static func sentence(_ step: AdviceRanking.Step, isFirst: Bool) -> String {
    let criterion = step.criterion
    func text(_ value: Int64) -> String { MeasureText.of(Double(value), criterion.measure.unit) }
    let next = step.next.map { "; next is \($0.name) with \(text(criterion.value(of: $0.measures)))" } ?? ""
    let names = joined(step.leaders.map(\.name))
    let values = step.leaders.map { criterion.value(of: $0.measures) }
    let least = text(values.min() ?? 0)
    let most = text(values.max() ?? 0)
    guard step.leaders.count > 1 else {
      return isFirst
        ? "\(names) has the least hitch time: \(least) in total\(next)."
        : "By \(criterion.title), \(names) is best: \(least)\(next)."
    }
    let all = least == most ? least : "\(least) to \(most)"
    return isFirst
      ? "\(names) have the least hitch time: \(all) in total\(next)."
      : "By \(criterion.title), \(names) are best: \(all)\(next)."
  }

  private static func closeness(_ words: CommandWords) -> String {
    "Stacks are named together if they differ by no more than the floors of '\(words.compare)', or by no more than the "
      + "trials of one stack do."
  }
}

// MARK: - Acceptable or not

extension ReportVerdict {
  private static func bands(_ judgements: [StackJudgement], _ scale: HitchScale) -> [Page.Statement] {
    let bad = judgements.filter { !$0.isAcceptable }
    let watched = judgements.filter { $0.isAcceptable && !$0.warnings.isEmpty }
    var statements: [Page.Statement] = []
    if !bad.isEmpty {
      let wrong = bad.allSatisfy(\.isVerified) ? "" : ", or because their data is wrong"
      let reason = "unacceptable by Apple's bands for \(scale.subject) and for hangs\(wrong):"
      statements.append(
        Page.Statement(
          tone: .bad, title: "Unacceptable",
          sentences: [counted(bad.count, of: judgements.count, reason)],
          items: bad.map { "\($0.name): \($0.objections.joined(separator: "; "))" }))
    }
    if !watched.isEmpty {
      statements.append(
        Page.Statement(
          tone: .warning, title: "Needs attention", sentences: [],
          items: watched.map { "\($0.name): \($0.warnings.joined(separator: "; "))" }))
    }
    let good = judgements.filter { $0.isAcceptable && $0.warnings.isEmpty && $0.band != nil }
    if !good.isEmpty {
      let names = good.count == judgements.count && good.count > 1 ? "All \(good.count)" : joined(good.map(\.name))
      statements.append(
        Page.Statement(
          tone: .good, title: "Good",
          sentences: [
            "\(names) \(good.count == 1 ? "is" : "are") good by Apple's bands for \(scale.subject) and for hangs."
          ]))
    }
    return statements
  }

  private static func counted(_ count: Int, of all: Int, _ rest: String) -> String {
    if all == 1 { return "It is \(rest)" }
    return count == all ? "All \(all) are \(rest)" : "\(count) of \(all) \(count == 1 ? "is" : "are") \(rest)"
  }

  private static func data(_ judgements: [StackJudgement], _ result: ReportedResult) -> Page.Statement {
    let wrong = judgements.filter { !$0.isVerified }
    let count = result.trials.count
    guard wrong.isEmpty else {
      return Page.Statement(
        tone: .bad, title: "Wrong data",
        sentences: ["The data of \(joined(wrong.map(\.name))) did not verify, so the figures are not valid."])
    }
    var sentences = [
      "\(count == 1 ? "The trial was" : "All \(count) trials were") verified: every row, link, edit and list matches "
        + "an independent model."
    ]
    let digests = Set(judgements.map(\.summary.measures.storeDigest))
    if digests == [nil] {
      sentences.append("Imports share rows, so the right data are not the same in all stores.")
    } else if judgements.count > 1 {
      sentences.append(
        digests.count == 1
          ? "All stores hold the same data." : "The stores hold different data: \(digests.count) digests.")
    }
    return Page.Statement(tone: digests.count == 1 ? .good : .warning, title: "Data verified", sentences: sentences)
  }
}

// MARK: - How far to trust it

extension ReportVerdict {
  private static func caveats(_ result: ReportedResult, _ ranking: AdviceRanking) -> [Page.Statement] {
    let warnings = ReportCaveats.warnings(of: result)
    return [
      warnings.isEmpty ? nil : Page.Statement(tone: .warning, title: "Doubts", sentences: warnings),
      Page.Statement(tone: nil, title: "How sure", sentences: [ReportCaveats.certainty(of: result, ranking)]),
    ].compactMap(\.self)
  }

  /// `a`, `a and b`, `a, b and c`.
  static func joined(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }
}
