/// A ranking of stacks by the criteria of a priority. The answers of `advise` and reports share it.
///
/// Each criterion in turn keeps the best of the remaining stacks and those that it does not separate from the best. It
/// separates two stacks if they differ by more than its floor and the same one is better in at least nine draws of ten:
/// a lead that another sample of the same phone would reverse does not count. The best stack by a criterion is the one
/// with the least mean over the draws, which is the one with the least expected regret, so that more draws refine an
/// answer.
///
/// Of the stacks that no criterion separates, the one to take is the one that comes first in most draws, and of several
/// such the one with the simplest wiring.
package struct AdviceRanking: Hashable, Sendable {
  /// The stacks that no criterion separates. The first of them is the one to take; the list is empty if there are no
  /// candidates.
  package let first: [AdviceCandidate]
  /// The other stacks, each with the criterion that ranked it behind, in the order of the criteria.
  package let behind: [Behind]
  /// The first criterion and each further one that separated stacks.
  package let steps: [Step]

  package struct Behind: Hashable, Sendable {
    package let candidate: AdviceCandidate
    package let criterion: AdviceCriterion
    /// The best of the remaining stacks by that criterion. It need not come first in the end.
    package let leader: AdviceCandidate
  }

  package struct Step: Hashable, Sendable {
    package let criterion: AdviceCriterion
    /// The stacks that stay, the best first.
    package let leaders: [AdviceCandidate]
    /// The best of the stacks that the criterion ranks behind, or nil if it ranks no stack behind.
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
      let off = ordered.filter { Self.tellsApart(best, from: $0, by: criterion) }
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

  /// The name of the stack to take, or nil if there are no candidates.
  package var name: String? { first.first?.name }

  package func contains(_ name: String) -> Bool { first.contains { $0.name == name } }
}

// MARK: - Order

extension AdviceRanking {
  /// Returns the stacks ordered by their means over the draws, or by their values if there are no draws, the best
  /// first. Equal stacks are in the order of their wiring, so that noise in the last digit does not affect the result.
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

  /// Returns the numbers of the draws that all of the stacks have, ascending.
  private static func commonDraws(of candidates: [AdviceCandidate]) -> [Int] {
    guard let first = candidates.first else { return [] }
    return first.draws.keys.filter { number in candidates.allSatisfy { $0.draws[number] != nil } }.sorted()
  }

  /// Returns the stacks with the one to take first: the one that comes first in most draws, and of several such the one
  /// with the simplest wiring.
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

  /// Returns the stacks in the order of their wiring. Equally simple ones stay in their order.
  private static func simplestFirst(_ candidates: [AdviceCandidate]) -> [AdviceCandidate] {
    candidates.enumerated().sorted { left, right in
      if left.element.isSimpler(than: right.element) { return true }
      if right.element.isSimpler(than: left.element) { return false }
      return left.offset < right.offset
    }.map(\.element)
  }
}

// MARK: - Separating stacks

extension AdviceRanking {
  /// The number of draws of ten in which a difference must have the same sign.
  private static let neededTenths = 9

  private static func tellsApart(
    _ best: AdviceCandidate, from other: AdviceCandidate, by criterion: AdviceCriterion
  ) -> Bool {
    guard criterion.tellsApart(criterion.value(of: best.measures), from: criterion.value(of: other.measures)) else {
      return false
    }
    return holds(of: best, and: other) { criterion.value(of: $0) < criterion.value(of: $1) }
  }

  /// Returns true if a condition holds for two stacks in at least nine of ten of the draws that both have, or if they
  /// have no common draw.
  private static func holds(
    of first: AdviceCandidate, and second: AdviceCandidate, condition: (TrialMeasures, TrialMeasures) -> Bool
  ) -> Bool {
    let numbers = commonDraws(of: [first, second])
    let count = numbers.count { number in
      guard let mine = first.draws[number], let theirs = second.draws[number] else { return false }
      return condition(mine, theirs)
    }
    return count * 10 >= numbers.count * neededTenths
  }
}
