/// The result of a check that trials distinguish the stacks of a run. A benchmark whose stacks all look alike has no
/// value.
///
/// A measure separates two stacks if their medians differ by at least 5 % of the larger one and by more than the spread
/// (maximum − minimum) of either stack's trials.
package struct Separation: Hashable, Sendable {
  /// The number of pairs of stacks.
  package let pairCount: Int
  /// The pairs that no measure separates, in the order of the stacks' names.
  package let alike: [Pair]

  package struct Pair: Hashable, Sendable {
    package let first: String
    package let second: String
  }

  /// The median and spread of one measure over one stack's trials.
  package struct Figure: Hashable, Sendable {
    package let median: Int64
    /// The greatest value minus the least.
    package let spread: Int64

    package init(median: Int64, spread: Int64) {
      self.median = median
      self.spread = spread
    }

    fileprivate init?(_ values: [Int64]) {
      guard let least = values.min(), let most = values.max() else { return nil }
      median = values.sorted()[(values.count - 1) / 2]
      spread = most - least
    }

    /// Returns true if the figures differ by at least 5 % of the larger median and by more than either spread.
    package func isApart(from other: Figure) -> Bool {
      let distance = abs(median - other.median)
      return distance * 20 >= max(abs(median), abs(other.median)) && distance > max(spread, other.spread)
    }
  }

  /// Compares every pair of stacks by the given measures.
  ///
  /// Returns nil if there are fewer than two stacks, or if a stack has fewer than two trials and so no spread.
  package init?(of trials: [TrialRecord], by measures: [any KeyPath<TrialMeasures, Int64?> & Sendable]) {
    let stacks = Dictionary(grouping: trials, by: \.identity.name)
    let names = stacks.keys.sorted()
    guard names.count > 1, stacks.values.allSatisfy({ $0.count > 1 }) else { return nil }
    let figures = names.map { name in
      measures.map { measure in Figure((stacks[name] ?? []).compactMap { $0.measures[keyPath: measure] }) }
    }
    var alike: [Pair] = []
    for first in names.indices {
      for second in names.indices where second > first {
        let isApart = zip(figures[first], figures[second]).contains { left, right in
          guard let left, let right else { return false }
          return left.isApart(from: right)
        }
        if !isApart { alike.append(Pair(first: names[first], second: names[second])) }
      }
    }
    pairCount = names.count * (names.count - 1) / 2
    self.alike = alike
  }
}
