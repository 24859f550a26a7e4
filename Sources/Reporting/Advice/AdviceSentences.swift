import Metrics

/// The sentences of an answer, as plain text without line breaks. Terminals and Markdown show the same text.
struct AdviceSentences {
  let report: AdviceAnswer
  let words: CommandWords
  private var advice: Advice { report.advice }

  // MARK: The answer

  /// Returns the sentences that compare the advised stack with the other stacks that qualify.
  func standing(of advised: AdviceCandidate) -> String {
    let count = advice.ranking.first.count + advice.ranking.behind.count
    guard advice.candidates.count > 1 else { return "No other stack was simulated." }
    guard count > 1 else { return "No other stack qualifies." }
    let all =
      count == advice.candidates.count
      ? "All \(count) stacks qualify." : "\(count) of \(advice.candidates.count) stacks qualify."
    let behind = advice.ranking.behind.map { behind in
      "\(behind.candidate.name) by \(behind.criterion.title) (\(difference(behind, from: advised)))"
    }
    var text = "\(all) They are ranked by \(advice.rankedBy.rawValue)."
    if !behind.isEmpty { text += " Lower in the ranking: \(behind.joined(separator: ", "))." }
    if !advice.equals.isEmpty { text += " " + equality(of: advised) }
    return text
  }

  private func difference(_ behind: AdviceRanking.Behind, from advised: AdviceCandidate) -> String {
    let unit = behind.criterion.measure.unit
    let keyPath = behind.criterion.measure.keyPath
    let whose = behind.leader.name == advised.name ? "" : " of \(behind.leader.name)"
    return "\(Self.value(behind.candidate.measures[keyPath: keyPath], in: unit)) against "
      + Self.value(behind.leader.measures[keyPath: keyPath], in: unit) + whose
  }

  private func equality(of advised: AdviceCandidate) -> String {
    let names = advice.equals.map(\.name)
    let titles = advice.rankedBy.criteria.map(\.title)
    let wirings = advice.equals.map { "\($0.name): \(Self.wiring(of: $0))" }
    let isSimpler = advice.equals.allSatisfy(advised.isSimpler)
    let isSimplest = !advice.equals.contains { $0.isSimpler(than: advised) }
    let reason =
      !isSimplest
      ? "It is named because it ranks first on more of the drawn devices."
      : isSimpler
        ? "It is named because its wiring is simpler (\(Self.wiring(of: advised)); \(wirings.joined(separator: "; ")))."
        : "None of them has a simpler wiring (\(Self.wiring(of: advised))), so the first one in the list is named."
    return "No difference from \(Self.list(names, last: "or")) was found in \(Self.list(titles, last: "or")). \(reason)"
  }

  private static func wiring(of candidate: AdviceCandidate) -> String {
    func counted(_ count: Int, _ name: String) -> String { "\(count) \(name)\(count == 1 ? "" : "s")" }
    return "\(counted(candidate.contextCount, "context")), \(counted(candidate.ruleCount, "rule"))"
  }

  // MARK: None

  /// The paragraphs that say that no stack qualifies, and which comes nearest.
  var none: [String] {
    let all = "None of the \(advice.candidates.count) stacks qualifies."
    guard let nearest = advice.nearest else { return [all] }
    let draws = advice.drawNumbers.count
    var text = "The nearest is \(nearest.name): its largest excess, as a share of the limit, is the smallest."
    if draws > 0 {
      let found = draws - advice.emptyDrawCount
      text +=
        found == 0
        ? " No stack qualifies on any of the \(draws) devices drawn from the profile's ranges."
        : " A stack qualifies on \(found) of \(draws) devices drawn from the profile's ranges, and \(nearest.name) on "
          + "\(advice.qualifyingDrawCount(of: nearest))."
    }
    return [all, text]
  }

  /// A phrase for each stack that misses limits, which names them and by how much the stack misses them.
  var misses: [String] {
    advice.candidates.compactMap { candidate in
      let missed = candidate.checks(advice.allLimits).filter { !$0.isMet }
      guard !missed.isEmpty else { return nil }
      return "\(candidate.name) misses \(Self.list(missed.map(Self.miss), last: "and"))"
    }
  }

  static func miss(_ check: LimitCheck) -> String {
    let unit = check.limit.measure.unit
    guard let excess = check.excess else { return "\(check.limit.title), which was not measured" }
    return "\(check.limit.title) by \(value(excess, in: unit))"
  }

  // MARK: When it flips

  /// The heading of the list of points at which the answer changes.
  var flipsTitle: String { advice.advised == nil ? "Where a stack qualifies" : "Where the answer changes" }

  /// Returns the change of the answer at a point, or nil if the answer is the same there.
  func flip(at variation: AdviceVariation) -> String? {
    let instead = variation.first.isEmpty ? "no stack qualifies" : "take \(Self.list(variation.first, last: "or"))"
    switch variation.kind {
    case .same: return nil
    case .found: return instead
    case .overtaken: return instead + (variation.overtakenBy.map { ", because of \($0.title)" } ?? "")
    case .disqualified:
      let since = variation.first.isEmpty ? ";" : ", because"
      return
        "\(instead)\(since) \(advice.advised?.name ?? "it") misses \(Self.list(variation.missed.map(Self.miss), last: "and"))"
    }
  }

  /// The sentence that lists the points at which the answer is the same, and the sentences on points that could not be
  /// tried.
  var unchanged: [String] {
    let same = advice.variations.filter { $0.kind == .same }.map { "\(words.option($0.point.flag)) \($0.point.value)" }
    let isOne = same.count == 1
    let what = advice.advised == nil ? "no stack qualifies either" : "the answer is the same"
    return (same.isEmpty ? [] : ["With \(Self.list(same, last: isOne ? "" : "or")), \(what)."]) + report.untried
  }

  // MARK: Notes

  var notes: [String] {
    var notes: [String] = []
    if advice.limits.contains(where: { $0.measure == .hitchRatio }) {
      notes.append("Hitch ratio: hitch time per second of the import; \(HitchScale.scroll.legend).")
    }
    if advice.rankedBy == .memory || advice.limits.contains(where: { $0.measure.unit == .bytes }) {
      notes.append(
        "Heap: computed as the bytes of registered objects, snapshots, cached rows and pending changes. An app needs "
          + "other memory in addition.")
    }
    return notes
  }

  // MARK: Words

  static func value(_ value: Int64?, in unit: Measure.Unit) -> String {
    value.map { MeasureText.of(Double($0), in: unit) } ?? "not measured"
  }

  /// Returns the value of a limit as text, without trailing zeros after the decimal point.
  static func limit(_ limit: AdviceLimit) -> String {
    let words = value(limit.most, in: limit.measure.unit).split(separator: " ", maxSplits: 1)
    guard let number = words.first, number.contains(".") else { return words.joined(separator: " ") }
    var digits = number
    while digits.last == "0" { digits.removeLast() }
    if digits.last == "." { digits.removeLast() }
    return ([digits] + words.dropFirst()).joined(separator: " ")
  }

  static func list(_ words: [String], last: String) -> String {
    guard words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(last) \(words[words.count - 1])"
  }
}
