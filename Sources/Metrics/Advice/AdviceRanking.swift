/// Which of some stacks come first, and which measure told the others off: what answers of `advise` and reports share.
///
/// A sieve: by each criterion in turn, those stay that it does not tell apart from the best of those that are left. Two are
/// told apart if they differ by more than the criterion's floor and if, besides, the same one is better in nine draws of
/// ten: a lead that another sample of the same phone turns round is none. The best by a criterion is the one with the
/// least mean over the draws, which is the one with the least expected regret, so that more draws refine an answer.
///
/// Of stacks that nothing tells apart, the one that comes first in most draws is to be taken, and of several such the
/// simplest wiring.
package struct AdviceRanking: Hashable, Sendable {
  /// Those that nothing tells apart, the one to take first; empty without candidates.
  package let first: [AdviceCandidate]
  /// The others, each with the criterion that told it off, in the order in which they went.
  package let behind: [Behind]
  /// The criteria that told some apart, after the first one.
  package let steps: [Step]

  package struct Behind: Hashable, Sendable {
    package let candidate: AdviceCandidate
    package let criterion: AdviceCriterion
    /// The best by that criterion of those that were left: it need not come first in the end.
    package let leader: AdviceCandidate
  }

  package struct Step: Hashable, Sendable {
    package let criterion: AdviceCriterion
    /// Those that lead, the best first.
    package let leaders: [AdviceCandidate]
    /// The best of those that were told off; nil if none was.
    package let next: AdviceCandidate?
  }

  package init(of candidates: [AdviceCandidate], by priority: AdvicePriority) {
    var left = candidates
    var behind: [Behind] = []
    var steps: [Step] = []
    for criterion in priority.criteria where left.count > 1 || steps.isEmpty {
      guard left.contains(where: { criterion.value(of: $0.measures) < .max }) else { continue }
      let ordered = Self.ordered(left, by: criterion)
      guard let best = ordered.first else { break }
      let off = ordered.filter { Self.tellsApart(best, $0, by: criterion) }
      behind += left.filter { off.contains($0) }.map { Behind(candidate: $0, criterion: criterion, leader: best) }
      left = left.filter { !off.contains($0) }
      if steps.isEmpty || !off.isEmpty {
        steps.append(Step(criterion: criterion, leaders: ordered.filter { !off.contains($0) }, next: off.first))
      }
    }
    first = Self.takenFirst(left, by: priority)
    self.behind = behind
    self.steps = steps
  }

  /// The name of the one to take; nil without candidates.
  package var name: String? { first.first?.name }

  package func contains(_ name: String) -> Bool { first.contains { $0.name == name } }
}

// MARK: - Order

extension AdviceRanking {
  /// The best first: by the mean over the draws, or by the value itself without draws. Equal ones are in the order of
  /// their wiring, so that noise in the last digit names no winner.
  private static func ordered(_ candidates: [AdviceCandidate], by criterion: AdviceCriterion) -> [AdviceCandidate] {
    let numbers = commonDraws(of: candidates)
    func mean(_ candidate: AdviceCandidate) -> Double {
      guard !numbers.isEmpty else { return Double(criterion.value(of: candidate.measures)) }
      return numbers.reduce(0) { sum, number in
        sum + (candidate.draws[number].map { Double(criterion.value(of: $0)) } ?? 0) / Double(numbers.count)
      }
    }
    let means = candidates.map(mean)
    return simplestFirst(candidates).map { candidate in
      (candidate, means[candidates.firstIndex(of: candidate) ?? 0])
    }.enumerated().sorted { left, right in
      (left.element.1, left.offset) < (right.element.1, right.offset)
    }.map(\.element.0)
  }

  /// The draws that all of some stacks have, ascending.
  private static func commonDraws(of candidates: [AdviceCandidate]) -> [Int] {
    guard let first = candidates.first else { return [] }
    return first.draws.keys.filter { number in candidates.allSatisfy { $0.draws[number] != nil } }.sorted()
  }

  /// The one to take, then those that nothing tells apart from it: the one that comes first in most draws, and of several
  /// the simplest wiring.
  private static func takenFirst(_ left: [AdviceCandidate], by priority: AdvicePriority) -> [AdviceCandidate] {
    let simplest = simplestFirst(left)
    let rankings = commonDraws(of: left).map { number in
      AdviceRanking(of: left.compactMap { $0.drawn(number) }, by: priority)
    }
    let counts = simplest.map { candidate in rankings.count { $0.contains(candidate.name) } }
    guard let most = counts.max(), let taken = counts.firstIndex(of: most) else { return simplest }
    var ordered = simplest
    ordered.insert(ordered.remove(at: taken), at: 0)
    return ordered
  }

  /// Stable: equally simple ones stay in their order.
  private static func simplestFirst(_ candidates: [AdviceCandidate]) -> [AdviceCandidate] {
    candidates.enumerated().sorted { left, right in
      if left.element.isSimpler(than: right.element) { return true }
      if right.element.isSimpler(than: left.element) { return false }
      return left.offset < right.offset
    }.map(\.element)
  }
}

// MARK: - Telling apart

extension AdviceRanking {
  /// In how many draws of ten something must hold.
  private static let neededTenths = 9

  private static func tellsApart(
    _ best: AdviceCandidate, _ other: AdviceCandidate, by criterion: AdviceCriterion
  ) -> Bool {
    guard criterion.tellsApart(criterion.value(of: best.measures), criterion.value(of: other.measures)) else {
      return false
    }
    return holds(best, other) { criterion.value(of: $0) < criterion.value(of: $1) }
  }

  /// Returns true if something holds for two stacks in nine of ten of the draws that both have, or if they have none.
  private static func holds(
    _ first: AdviceCandidate, _ second: AdviceCandidate, _ condition: (TrialMeasures, TrialMeasures) -> Bool
  ) -> Bool {
    let numbers = commonDraws(of: [first, second])
    let count = numbers.count { number in
      guard let mine = first.draws[number], let theirs = second.draws[number] else { return false }
      return condition(mine, theirs)
    }
    return count * 10 >= numbers.count * neededTenths
  }
}
