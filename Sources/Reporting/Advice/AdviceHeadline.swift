import Ledgers
import Metrics

/// The first line of an answer: which stack to take, and how far ahead of the next it is.
struct AdviceHeadline {
  let advice: Advice
  let advised: AdviceCandidate

  /// The line without a full stop: `Take a: it drops 3.1 times fewer frames than b (2.0 to 4.4), and imports as fast`.
  ///
  /// If the stack is outside Apple's bands on half of the devices or more, the line says so first.
  var text: String {
    let take = "\(advised.name)\(reasons)"
    guard isOutside else { return "Take \(take)" }
    let phones = shares.isEmpty ? "" : ", and outside them on \(shares.count { !$0 }) of \(shares.count) drawn devices"
    return "\(advised.name) is \(band.rawValue) by Apple's bands\(phones). Among the stacks that qualify, take \(take)"
  }

  /// True if the line says how far ahead of the next the stack is.
  var hasReasons: Bool { !reasons.isEmpty }

  // MARK: Apple's bands

  private var rate: Int64 { advised.measures.hitchMicrosecondsPerSecond ?? 0 }
  private var band: HitchBand { HitchScale.scroll.band(microsecondsPerSecond: rate) }
  private var isOutside: Bool { advised.measures.hitchMicrosecondsPerSecond != nil && band.isUnacceptable }

  /// True for each draw on whose device the stack is within Apple's bands.
  private var shares: [Bool] {
    advice.drawNumbers.compactMap { advised.draws[$0]?.hitchMicrosecondsPerSecond }
      .map { !HitchScale.scroll.band(microsecondsPerSecond: $0).isUnacceptable }
  }

  /// A sentence that says on how many drawn devices the stack is within Apple's bands, or nil without draws or hitches.
  var goodEnough: String? {
    guard !shares.isEmpty else { return nil }
    let within = shares.count { $0 }
    return
      "Is it good enough? It is within Apple's bands for scrolling on \(within) of \(shares.count) drawn devices, and "
      + "keeps every limit on \(advice.qualifyingDrawCount(of: advised))."
  }

  // MARK: Against the next

  /// The best of the others: the one with the least value of the first criterion.
  private var next: AdviceCandidate? {
    let criterion = advice.rankedBy.criteria[0]
    return advice.ranking.behind.map(\.candidate).min {
      criterion.value(of: $0.measures) < criterion.value(of: $1.measures)
    }
  }

  private var reasons: String {
    guard let next else { return "" }
    let clauses = [lead(over: next), importing(against: next)].compactMap(\.self)
    return clauses.isEmpty ? "" : ": it " + clauses.joined(separator: ", and ")
  }

  private func lead(over next: AdviceCandidate) -> String? {
    if advice.rankedBy == .smoothness, let frames = frames(against: next) { return frames }
    guard let behind = advice.ranking.behind.first(where: { $0.candidate.name == next.name }) else { return nil }
    let criterion = behind.criterion
    func text(_ candidate: AdviceCandidate) -> String {
      AdviceSentences.value(candidate.measures[keyPath: criterion.measure.keyPath], criterion.measure.unit)
    }
    return "has \(criterion.title) \(text(advised)) where \(next.name) has \(text(next))"
  }

  private func frames(against next: AdviceCandidate) -> String? {
    guard let own = advised.measures.framesDroppedCount, let other = next.measures.framesDroppedCount, own < other
    else { return nil }
    let ratios = advice.drawNumbers.compactMap { number -> Int64? in
      guard let mine = advised.draws[number]?.framesDroppedCount, mine > 0,
        let theirs = next.draws[number]?.framesDroppedCount
      else { return nil }
      return theirs * 100 / mine
    }
    let ranked = NearestRank(ratios)
    guard own > 0, let low = ranked[percent: 5], let high = ranked[percent: 95] else {
      return own == 0
        ? "drops no frame where \(next.name) drops \(other)\(range(of: next))"
        : "drops \(Self.times(other * 100 / own)) times fewer frames than \(next.name)"
    }
    return "drops \(Self.times(other * 100 / own)) times fewer frames than \(next.name) "
      + "(\(Self.times(low)) to \(Self.times(high)))"
  }

  private func range(of candidate: AdviceCandidate) -> String {
    let ranked = NearestRank(advice.drawNumbers.compactMap { candidate.draws[$0]?.framesDroppedCount })
    guard let low = ranked[percent: 5], let high = ranked[percent: 95], low < high else { return "" }
    return " (\(low) to \(high))"
  }

  private func importing(against next: AdviceCandidate) -> String? {
    guard advice.rankedBy != .importSpeed, let own = advised.measures.importNanoseconds,
      let other = next.measures.importNanoseconds, own > 0, other > 0,
      let primary = PrimaryMeasure.all.first(where: { $0.measure.name == "import_ns" })
    else { return nil }
    guard abs(Double(own - other)) > primary.floor(around: own) else { return "imports as fast" }
    return own < other
      ? "imports \(Self.times(other * 100 / own)) times as fast"
      : "takes \(Self.times(own * 100 / other)) times as long to import"
  }

  /// Returns a number of hundredths as text: rounded to a whole number from 10 on, and cut to one decimal place below.
  private static func times(_ hundredths: Int64) -> String {
    hundredths >= 1_000 ? "\((hundredths + 50) / 100)" : "\(hundredths / 100).\((hundredths % 100) / 10)"
  }
}
