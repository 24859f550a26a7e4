/// Which stack to take: what was asked, how each stands to it, and what the answer hangs on.
///
/// A value of nothing but its arguments. Without a priority those that qualify are ranked by smoothness, as every table
/// of results is.
package struct Advice: Hashable, Sendable {
  /// What was asked for, in the order of the flags.
  package let limits: [AdviceLimit]
  /// nil = none was named.
  package let priority: AdvicePriority?
  /// All of them, in the order of the catalogue.
  package let candidates: [AdviceCandidate]
  /// Among those that qualify.
  package let ranking: AdviceRanking
  /// What else was tried, a point at a time.
  package let turns: [AdviceTurn]

  /// What ranks those that qualify.
  package var rankedBy: AdvicePriority { priority ?? .smoothness }

  /// The limits with those that hold unasked.
  package var allLimits: [AdviceLimit] { limits + AdviceLimit.correctness }

  package init(
    limits: [AdviceLimit], priority: AdvicePriority?, candidates: [AdviceCandidate], points: [AdvicePoint] = []
  ) {
    self.limits = limits
    self.priority = priority
    self.candidates = candidates
    let all = limits + AdviceLimit.correctness
    let rankedBy = priority ?? .smoothness
    let qualifying = candidates.filter { $0.qualifies(all) }
    let ranking = AdviceRanking(of: qualifying, by: rankedBy)
    self.ranking = ranking
    let leaders = AdviceRanking(of: qualifying.map(\.withoutDraws), by: rankedBy).first.map(\.name)
    let isAhead = ranking.name.map(leaders.contains) ?? false
    turns = points.map {
      AdviceTurn(
        at: $0, from: ranking.name, equals: isAhead ? [] : leaders.filter(ranking.contains), limits: all,
        priority: rankedBy)
    }
  }

  /// The stack to take; nil where none qualifies.
  package var advised: AdviceCandidate? { ranking.first.first }

  /// Those that nothing tells apart from the advised one.
  package var equals: [AdviceCandidate] { Array(ranking.first.dropFirst()) }

  /// All of them, the advised one first, then its equals, then those behind it, the last told off first; at the end those
  /// that do not qualify.
  package var ordered: [AdviceCandidate] {
    let ranked = ranking.first + ranking.behind.reversed().map(\.candidate)
    return ranked + candidates.filter { candidate in !ranked.contains { $0.name == candidate.name } }
  }
}

// MARK: - Where none qualifies

extension Advice {
  /// The stack that is least off: with the fewest misses without bound, then with the smallest worst miss as a share of its
  /// limit, then with the fewest misses, then the first.
  package var nearest: AdviceCandidate? {
    candidates.enumerated().min { left, right in
      let (a, b) = (miss(of: left.element), miss(of: right.element))
      return a == b ? left.offset < right.offset : a < b
    }?.element
  }

  private func miss(of candidate: AdviceCandidate) -> (unbounded: Int, worst: Double, count: Int) {
    let shares = candidate.checks(allLimits).filter { !$0.isMet }.map(\.share)
    return (shares.count { !$0.isFinite }, shares.filter(\.isFinite).max() ?? 0, shares.count)
  }
}

// MARK: - How sure it is

extension Advice {
  /// The draws that have every stack, in their order.
  package var drawNumbers: [Int] {
    guard let first = candidates.first else { return [] }
    return first.draws.keys.filter { number in candidates.allSatisfy { $0.draws[number] != nil } }.sorted()
  }

  /// In how many draws a stack keeps to all limits.
  package func qualifyingDrawCount(of candidate: AdviceCandidate) -> Int {
    drawNumbers.count { candidate.drawn($0)?.qualifies(allLimits) ?? false }
  }

  /// In how many draws each stack comes first among those that qualify there, alone or with others, in the order of
  /// `candidates`. The sums may be over the number of draws, where several come first, or under it, where none qualifies.
  package var firstCounts: [Int] {
    let rankings = drawNumbers.map { number in
      AdviceRanking(of: candidates.compactMap { $0.drawn(number) }.filter { $0.qualifies(allLimits) }, by: rankedBy)
    }
    return candidates.map { candidate in rankings.count { $0.contains(candidate.name) } }
  }

  /// How far the advised stack can be relied upon.
  package enum Sureness: String, Hashable, Sendable {
    /// It comes first in nine draws of ten or more.
    case sure
    /// In half of them or more.
    case likely
    /// In fewer: by the profile's values it comes first, by most that they may stand for it does not.
    case unsure
  }

  /// nil where none qualifies, or nothing was drawn.
  package var sureness: Sureness? {
    let count = drawNumbers.count
    guard let advised, count > 0, let index = candidates.firstIndex(where: { $0.name == advised.name }) else {
      return nil
    }
    let first = firstCounts[index]
    return first * 10 >= count * 9 ? .sure : first * 2 >= count ? .likely : .unsure
  }

  /// In how many draws no stack qualifies.
  package var emptyDrawCount: Int {
    drawNumbers.count { number in
      !candidates.contains { $0.drawn(number)?.qualifies(allLimits) ?? false }
    }
  }
}

// MARK: - What it costs

extension Advice {
  /// A primary measure by which another stack is better than the advised one.
  package struct Cost: Hashable, Sendable {
    package let primary: PrimaryMeasure
    /// The advised one's.
    package let value: Int64
    /// The stack that is best by it.
    package let best: AdviceCandidate
    package let bestValue: Int64
    /// How many others are better too.
    package let othersCount: Int
  }

  /// Where other stacks are better than the advised one by more than the measure's floors; the best of them.
  package var costs: [Cost] {
    guard let advised else { return [] }
    return PrimaryMeasure.all.compactMap { primary in
      let keyPath = primary.measure.keyPath
      guard let value = advised.measures[keyPath: keyPath] else { return nil }
      let better = candidates.filter { other in
        guard let theirs = other.measures[keyPath: keyPath], theirs < value else { return false }
        return Double(value - theirs) > primary.floor(around: value)
      }
      let best = better.enumerated().min { left, right in
        let (a, b) = (left.element.measures[keyPath: keyPath] ?? .max, right.element.measures[keyPath: keyPath] ?? .max)
        return a == b ? left.offset < right.offset : a < b
      }?.element
      guard let best, let bestValue = best.measures[keyPath: keyPath] else { return nil }
      return Cost(
        primary: primary, value: value, best: best, bestValue: bestValue, othersCount: better.count - 1)
    }
  }
}
