import Metrics

/// What else a report says of a run in sentences: which stacks are unacceptable and why, whether the data is right, and
/// what casts doubt on the figures.
///
/// The verdict depends on the result only.
struct ReportVerdict: Hashable, Sendable {
  /// The statements that a reader must know before the answer: wrong data, and doubts about the figures.
  let warnings: [Page.Statement]
  /// The statements on Apple's bands and, if it is right, on the data.
  let statements: [Page.Statement]

  init(_ result: ReportedResult) {
    let judgements = result.summaries.map { StackJudgement($0, of: result) }
    let isRight = judgements.allSatisfy(\.isVerified)
    let data = Self.data(judgements, in: result)
    let doubts = ReportCaveats.warnings(of: result)
    warnings =
      (isRight ? [] : [data])
      + (doubts.isEmpty ? [] : [Page.Statement(tone: .warning, title: "Doubts", sentences: doubts)])
    statements = Self.bands(of: judgements, by: result.hitchScale) + (isRight ? [data] : [])
  }
}

// MARK: - Acceptable or not

extension ReportVerdict {
  private static func bands(of judgements: [StackJudgement], by scale: HitchScale) -> [Page.Statement] {
    let bad = judgements.filter { !$0.isAcceptable }
    let watched = judgements.filter { $0.isAcceptable && !$0.warnings.isEmpty }
    var statements: [Page.Statement] = []
    if !bad.isEmpty {
      let wrong = bad.allSatisfy(\.isVerified) ? "" : ", or because their data is wrong"
      let reason = "unacceptable by Apple's bands for \(scale.subject) and for hangs\(wrong):"
      statements.append(
        Page.Statement(
          tone: .bad, title: "Unacceptable",
          sentences: [counted(bad.count, of: judgements.count, rest: reason)],
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

  private static func counted(_ count: Int, of all: Int, rest: String) -> String {
    if all == 1 { return "It is \(rest)" }
    return count == all ? "All \(all) are \(rest)" : "\(count) of \(all) \(count == 1 ? "is" : "are") \(rest)"
  }

  private static func data(_ judgements: [StackJudgement], in result: ReportedResult) -> Page.Statement {
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

  /// `a`, `a and b`, `a, b and c`.
  private static func joined(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }
}
