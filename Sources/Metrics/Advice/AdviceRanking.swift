/// Which of some stacks come first, and which measure told the others off.
///
/// A sieve: by each criterion in turn, those stay that it does not tell apart from the best of those that are left. Two are
/// told apart where they differ by more than the criterion's floor on the profile's values and where, besides, the same
/// one is better in nine draws of ten: a lead that another sample of the same phone turns round is none. There is no
/// order between stacks that a floor holds equal, so none is made up by sorting.
package struct AdviceRanking: Hashable, Sendable {
  /// Those that nothing tells apart, the simplest wiring first, then in the order given; empty without candidates.
  package let first: [AdviceCandidate]
  /// The others, each with the criterion that told it off, in the order in which they went.
  package let behind: [Behind]

  package struct Behind: Hashable, Sendable {
    package let candidate: AdviceCandidate
    package let criterion: AdviceCriterion
    /// The best by that criterion of those that were left: it need not come first in the end.
    package let leader: AdviceCandidate
  }

  package init(of candidates: [AdviceCandidate], by priority: AdvicePriority) {
    var left = candidates
    var behind: [Behind] = []
    for criterion in priority.criteria where left.count > 1 {
      guard let best = Self.best(of: left, by: criterion) else { break }
      behind += left.filter { Self.tellsApart(best, $0, by: criterion) }.map {
        Behind(candidate: $0, criterion: criterion, leader: best)
      }
      left = left.filter { !Self.tellsApart(best, $0, by: criterion) }
    }
    first = Self.simplestFirst(left)
    self.behind = behind
  }

  /// The name of the one to take; nil without candidates.
  package var name: String? { first.first?.name }

  package func contains(_ name: String) -> Bool { first.contains { $0.name == name } }

  /// Of equally good ones the simplest, so that noise in the last digit names no winner.
  private static func best(of candidates: [AdviceCandidate], by criterion: AdviceCriterion) -> AdviceCandidate? {
    let least = candidates.map { criterion.value(of: $0.measures) }.min()
    return simplestFirst(candidates.filter { criterion.value(of: $0.measures) == least }).first
  }

  /// In how many draws of ten the better one must be better.
  private static let neededTenths = 9

  private static func tellsApart(
    _ best: AdviceCandidate, _ other: AdviceCandidate, by criterion: AdviceCriterion
  ) -> Bool {
    guard criterion.tellsApart(criterion.value(of: best.measures), criterion.value(of: other.measures)) else {
      return false
    }
    let numbers = best.draws.keys.filter { other.draws[$0] != nil }
    let leads = numbers.count { number in
      guard let mine = best.draws[number], let theirs = other.draws[number] else { return false }
      return criterion.value(of: mine) < criterion.value(of: theirs)
    }
    return leads * 10 >= numbers.count * neededTenths
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
