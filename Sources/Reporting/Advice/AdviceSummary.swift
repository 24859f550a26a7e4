import Metrics

/// The short answer: the stack to take, and a fact for each question that an engineer asks before taking it.
struct AdviceSummary {
  let report: AdviceAnswer
  let words: CommandWords
  let advised: AdviceCandidate
  /// A clause that says where all figures are.
  let figures: String
  private var advice: Advice { report.advice }

  /// The facts, in the order in which they are read: what to do, how much better it is, how sure that is, why, what
  /// would change it, and the next steps.
  var facts: [Page.Fact] {
    [
      Page.Fact("Take", PageText(take)), otherRows, lead.map { Page.Fact($0.title.sentenceCased, PageText($0.text)) },
      Page.Fact("Best", PageText(standing)), smooth.map { Page.Fact("Smooth", PageText($0)) },
      kept.map { Page.Fact("Limits", PageText($0)) }, reason.map { Page.Fact("Why", PageText($0)) },
      changes.map { Page.Fact("Changes", PageText($0)) },
      Page.Fact("Next", PageText(next)),
    ].compactMap(\.self)
  }

  // MARK: What to do

  private var take: String {
    guard let stack = report.stacks.first(where: { $0.name == advised.name }) else { return advised.name }
    let whose = stack.name == report.reference ? "your stack" : stack.number
    return "\(stack.name) (\(whose)): \(stack.summary)."
  }

  /// The answer for the other filling of the store, or nil if it was not simulated.
  private var otherRows: Page.Fact? {
    guard let other = advice.variations.first(where: \.point.isSecondQuestion) else { return nil }
    let title = other.point.value == "0" ? "Empty store" : "Full store"
    return Page.Fact(title, PageText("\(feltFlip(at: other) ?? "the same stack") (\(option(other))).".sentenceCased))
  }

  // MARK: How much better

  /// The first measure of the ranking for the advised stack, the user's or the next stack, and the stack that imports on
  /// main.
  private var lead: (title: String, text: String)? {
    let isSmoothness = advice.rankedBy == .smoothness
    let first = advice.rankedBy.criteria[0]
    let measure = isSmoothness ? Measure.framesDropped : first.measure
    guard let value = value(of: advised, measure) else { return nil }
    let own = isSmoothness ? "drops \(value)" : value
    let others = compared.compactMap { other in
      self.value(of: other, measure).map { "\(other.name) \($0)\(note(on: other))" }
    }
    return (isSmoothness ? "frames" : first.title, ([own] + others).joined(separator: "; ") + ".")
  }

  private func note(on other: AdviceCandidate) -> String {
    other.name == report.reference ? ", your stack" : other.name == Self.mainStack ? ", the import on main" : ""
  }

  /// The name of the stack that does everything on the main queue.
  private static let mainStack = "all-main"

  /// The user's stack, or else the next in the ranking, followed by the stack that imports on main.
  private var compared: [AdviceCandidate] {
    let main = advice.candidates.first { $0.name == Self.mainStack }
    return [reference ?? runnerUp, main].compactMap(\.self).reduce(into: []) { distinct, candidate in
      if candidate.name != advised.name, !distinct.contains(where: { $0.name == candidate.name }) {
        distinct.append(candidate)
      }
    }
  }

  private var reference: AdviceCandidate? { advice.candidates.first { $0.name == report.reference } }

  /// The best of the stacks that the ranking puts behind the advised one.
  private var runnerUp: AdviceCandidate? {
    let criterion = advice.rankedBy.criteria[0]
    return advice.ranking.behind.map(\.candidate).min {
      criterion.value(of: $0.measures) < criterion.value(of: $1.measures)
    }
  }

  /// Returns a value with the 5 to 95 % range over the drawn devices, or nil if the stack has no value.
  private func value(of candidate: AdviceCandidate, _ measure: Measure) -> String? {
    guard let value = candidate.measures[keyPath: measure.keyPath] else { return nil }
    let text = AdviceSentences.value(value, in: measure.unit)
    let ranked = NearestRank(advice.drawNumbers.compactMap { candidate.draws[$0]?[keyPath: measure.keyPath] })
    guard let low = ranked[percent: 5], let high = ranked[percent: 95], low < high else { return text }
    return
      "\(text) (\(AdviceSentences.value(low, in: measure.unit)) to \(AdviceSentences.value(high, in: measure.unit)))"
  }

  // MARK: How sure

  private var standing: String {
    let count = advice.drawNumbers.count
    let equals = advice.equals.map(\.name)
    let equal = equals.isEmpty ? "" : "; no difference from \(AdviceSentences.list(equals, last: "or")) was found"
    guard advice.candidates.count > 1 else { return "no other stack was run." }
    guard let sureness = advice.sureness else { return "\(single.standing)\(equal)." }
    let firsts = zip(advice.candidates, advice.firstCounts)
    let own = firsts.first { $0.0.name == advised.name }?.1 ?? 0
    let others = firsts.filter { $0.0.name != advised.name && $0.1 > 0 }.map { "\($0.0.name) \(many.place) \($0.1)" }
    let also = others.isEmpty ? "" : "; \(others.joined(separator: ", "))"
    return "\(sureness.rawValue): first \(many.place) \(own) of \(count) \(many.noun)\(also)."
  }

  /// The words for several trials that show how sure the answer is.
  private var many: (place: String, noun: String) {
    switch report.samples {
    case .drawnDevices: ("on", "drawn devices")
    case .liveTrials: ("in", "trials")
    }
  }

  /// The words for an answer that no further trials support.
  private var single: (standing: String, band: String) {
    switch report.samples {
    case .drawnDevices: ("first by the profile's values; no devices were drawn", "; no devices were drawn")
    case .liveTrials: ("first in a single trial, which may be chance", " in a single trial")
    }
  }

  private var smooth: String? {
    guard let rate = advised.measures.hitchMicrosecondsPerSecond else { return nil }
    let bands = Self.bands(of: advised, in: advice, by: report.hitchScale)
    guard !bands.isEmpty else {
      let band = report.hitchScale.band(microsecondsPerSecond: rate)
      return "\(band.rawValue) by Apple's bands\(single.band)."
    }
    let good = bands.count { $0 == .good }
    let degree = good * 10 <= bands.count ? "no" : Advice.Sureness(good, of: bands.count).rawValue
    return "\(degree): good by Apple's bands \(many.place) \(good) of \(bands.count)."
  }

  /// Returns Apple's band for a stack in each trial, such as one on a drawn device, in which hitches were measured.
  static func bands(of candidate: AdviceCandidate, in advice: Advice, by scale: HitchScale) -> [HitchBand] {
    advice.drawNumbers.compactMap { candidate.draws[$0]?.hitchMicrosecondsPerSecond }.map(scale.band)
  }

  /// The number of drawn devices on which the stack keeps the limits, or nil if there are no limits or no draws.
  private var kept: String? {
    let count = advice.drawNumbers.count
    guard !advice.limits.isEmpty, count > 0 else { return nil }
    return "kept on \(advice.qualifyingDrawCount(of: advised)) of \(count)."
  }

  // MARK: Why

  /// The longest block of main in the first of the compared stacks that drops more frames, or nil if there is none.
  private var reason: String? {
    let own = advised.measures.framesDroppedCount ?? 0
    for other in compared where other.measures.framesDroppedCount ?? 0 > own {
      guard let stall = report.stacks.first(where: { $0.name == other.name })?.longestStall else { continue }
      return "\(other.name) blocks main for \(StallSentence(name: other.name, stall: stall).block)."
    }
    return nil
  }

  // MARK: What would change it

  private func option(_ variation: AdviceVariation) -> String {
    "\(words.option(variation.point.flag)) \(variation.point.value)"
  }

  private var changes: String? {
    let tried = advice.variations.filter { !$0.point.isSecondQuestion }
    guard !tried.isEmpty else { return nil }
    let flips = tried.compactMap { variation in feltFlip(at: variation).map { "with \(option(variation)) \($0)" } }
    guard !flips.isEmpty else { return "nothing that was tried: \(tried.map(option).joined(separator: ", "))." }
    let rest = tried.count - flips.count
    return flips.joined(separator: "; ")
      + (rest > 0 ? "; not with \(rest) other setting\(rest == 1 ? "" : "s")." : ".")
  }

  /// Returns the change of the answer at a point, or nil if no user of a smooth stack feels a difference there.
  private func feltFlip(at variation: AdviceVariation) -> String? {
    let isFelt = variation.overtakenBy?.isFelt ?? true
    guard isFelt || advice.rankedBy != .smoothness else { return nil }
    return AdviceSentences(report: report, words: words).flip(at: variation)
  }

  // MARK: Next steps

  private var next: String {
    let rival = advice.sureness == .sure ? nil : advice.rival
    return "docs/on-a-device.md says how to "
      + (rival.map { "compare it with \($0)" } ?? "check it")
      + " on a phone; \(figures)."
  }
}
