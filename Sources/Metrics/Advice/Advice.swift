/// The recommendation of a stack: the limits asked for, how each stack compares with them, and what the answer depends
/// on.
///
/// The value depends only on the initializer's arguments. Without a priority, the qualifying stacks are ranked by
/// smoothness, as in every table of results.
package struct Advice: Hashable, Sendable {
  /// The limits that were asked for, in the order of the flags.
  package let limits: [AdviceLimit]
  /// The priority that was asked for, or nil if the user named no priority.
  package let priority: AdvicePriority?
  /// All stacks, in the order of the catalogue.
  package let candidates: [AdviceCandidate]
  /// The ranking of the stacks that qualify.
  package let ranking: AdviceRanking
  /// The answers at other points, each of which varies one flag.
  package let variations: [AdviceVariation]

  /// The priority that ranks the qualifying stacks: the given one, or smoothness.
  package var rankedBy: AdvicePriority { priority ?? .smoothness }

  /// The limits asked for, followed by the limits on correctness that always apply.
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
    variations = points.map {
      AdviceVariation(
        at: $0, from: ranking.name, equals: isAhead || $0.hasDraws ? [] : leaders.filter(ranking.contains), limits: all,
        priority: rankedBy)
    }
  }

  /// The stack to take, or nil if no stack qualifies.
  package var advised: AdviceCandidate? { ranking.first.first }

  /// The stacks that no criterion separates from the advised one.
  package var equals: [AdviceCandidate] { Array(ranking.first.dropFirst()) }

  /// All stacks: the advised one, its equals, the qualifying stacks behind them (those separated last come first), and
  /// finally the stacks that do not qualify.
  package var ordered: [AdviceCandidate] {
    let ranked = ranking.first + ranking.behind.reversed().map(\.candidate)
    return ranked + candidates.filter { candidate in !ranked.contains { $0.name == candidate.name } }
  }
}

// MARK: - The nearest stack

extension Advice {
  /// The stack that comes closest to the limits.
  ///
  /// It has the fewest misses whose share is infinite; of several such stacks, the smallest worst miss as a share of
  /// its limit, then the fewest misses, then the first place in `candidates`.
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

// MARK: - Reliability

extension Advice {
  /// The numbers of the draws that have a trial of every stack, ascending.
  package var drawNumbers: [Int] {
    guard let first = candidates.first else { return [] }
    return first.draws.keys.filter { number in candidates.allSatisfy { $0.draws[number] != nil } }.sorted()
  }

  /// Returns the number of draws in which a stack meets all limits.
  package func qualifyingDrawCount(of candidate: AdviceCandidate) -> Int {
    drawNumbers.count { candidate.drawn($0)?.qualifies(allLimits) ?? false }
  }

  /// The number of draws in which each stack comes first, alone or with others, among the stacks that qualify in the
  /// draw, in the order of `candidates`.
  ///
  /// The sum may exceed the number of draws, if several stacks come first in a draw, or fall below it, if no stack
  /// qualifies in a draw.
  package var firstCounts: [Int] {
    let rankings = drawNumbers.map { number in
      AdviceRanking(of: candidates.compactMap { $0.drawn(number) }.filter { $0.qualifies(allLimits) }, by: rankedBy)
    }
    return candidates.map { candidate in rankings.count { $0.contains(candidate.name) } }
  }

  /// The degree to which the advised stack can be relied upon.
  package enum Sureness: String, Hashable, Sendable {
    /// The advised stack comes first in at least nine draws of ten.
    case sure
    /// The advised stack comes first in at least half of the draws, but in fewer than nine of ten.
    case likely
    /// The advised stack comes first in fewer than half of the draws.
    ///
    /// It comes first by the profile's values, but not by most of the values that these may represent.
    case unsure

    /// Creates the degree for something that holds in `count` of `all` draws.
    package init(_ count: Int, of all: Int) {
      self = count * 10 >= all * 9 ? .sure : count * 2 >= all ? .likely : .unsure
    }
  }

  /// The reliability of the advice, or nil if no stack qualifies or there are no draws.
  package var sureness: Sureness? {
    let count = drawNumbers.count
    guard let advised, count > 0, let index = candidates.firstIndex(where: { $0.name == advised.name }) else {
      return nil
    }
    return Sureness(firstCounts[index], of: count)
  }

  /// The name of the stack that comes first in most of the draws, apart from the advised one, or nil if no other stack
  /// comes first in a draw.
  package var rival: String? {
    zip(candidates, firstCounts).filter { $0.0.name != advised?.name && $0.1 > 0 }.max { $0.1 < $1.1 }?.0.name
  }

  /// The number of draws in which no stack qualifies.
  package var emptyDrawCount: Int {
    drawNumbers.count { number in
      !candidates.contains { $0.drawn(number)?.qualifies(allLimits) ?? false }
    }
  }
}

// MARK: - Costs

extension Advice {
  /// A primary measure by which another stack is better than the advised one.
  package struct Cost: Hashable, Sendable {
    package let primary: PrimaryMeasure
    /// The value of the advised stack.
    package let value: Int64
    /// The stack with the best value of this measure.
    package let best: AdviceCandidate
    package let bestValue: Int64
    /// The number of further stacks that are also better than the advised one.
    package let othersCount: Int
  }

  /// The primary measures by which other stacks are better than the advised one by more than the measure's floors, each
  /// with the best of these stacks. The list is empty if no stack is advised.
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
