/// A list of pairs of temporary and permanent keys of one entity, stored as runs in which the keys are consecutive.
///
/// A save assigns consecutive keys to the objects of one entity in the order in which they were created, and temporary
/// keys are numbered in that order too. A run therefore covers a whole import as a rule. Recording a pair takes one
/// comparison, where two hash tables took two searches and 48 bytes (15 % of a save through three levels). Pairs are
/// added at the end only; the owner keeps pairs that arrive out of order elsewhere.
package struct IdentityRuns: Sendable {
  private struct Run: Sendable {
    /// The temporary key that is nearest to zero; the others follow downwards.
    var temporary: Int64
    /// The lowest permanent key; the others follow upwards.
    var permanent: Int64
    var count: Int64
  }

  /// The runs in the order of both keys: from zero downwards and upwards.
  private var runs: [Run] = []

  package init() {}

  /// The number of runs, each of which takes 24 bytes.
  package var count: Int { runs.count }

  /// Removes the pair of a permanent key, if there is one. O(runs).
  package mutating func remove(permanent key: Int64) {
    let place = runs.partitioningPlace { $0.permanent > key } - 1
    guard place >= 0 else { return }
    let run = runs[place]
    let offset = key - run.permanent
    guard offset < run.count else { return }
    let rest = Run(temporary: run.temporary - offset - 1, permanent: key + 1, count: run.count - offset - 1)
    let parts = [Run(temporary: run.temporary, permanent: run.permanent, count: offset), rest]
    runs.replaceSubrange(place...place, with: parts.filter { $0.count > 0 })
  }

  /// Appends a pair if both of its keys follow all others. O(1) amortised.
  ///
  /// - Returns: false if the pair is out of order; it is not appended then.
  package mutating func append(_ temporary: Int64, as permanent: Int64) -> Bool {
    guard let last = runs.last else {
      runs.append(Run(temporary: temporary, permanent: permanent, count: 1))
      return true
    }
    let next = (temporary: last.temporary - last.count, permanent: last.permanent + last.count)
    if temporary == next.temporary, permanent == next.permanent {
      runs[runs.count - 1].count += 1
      return true
    }
    guard temporary <= next.temporary, permanent >= next.permanent else { return false }
    runs.append(Run(temporary: temporary, permanent: permanent, count: 1))
    return true
  }

  /// Returns the permanent key that belongs to a temporary one, or nil if no run contains it. O(log runs).
  package func permanent(for key: Int64) -> Int64? {
    let place = runs.partitioningPlace { $0.temporary < key }
    guard place > 0 else { return nil }
    let run = runs[place - 1]
    let offset = run.temporary - key
    return offset < run.count ? run.permanent + offset : nil
  }

  /// Returns the temporary key that belongs to a permanent one, or nil if no run contains it. O(log runs).
  package func temporary(for key: Int64) -> Int64? {
    let place = runs.partitioningPlace { $0.permanent > key }
    guard place > 0 else { return nil }
    let run = runs[place - 1]
    let offset = key - run.permanent
    return offset < run.count ? run.temporary - offset : nil
  }
}

extension Array {
  /// Returns the index of the first element that satisfies a condition, or `count` if no element does. All elements
  /// behind one that satisfies the condition must satisfy it too. O(log n).
  fileprivate func partitioningPlace(_ condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
