/// Which part of an ordered result is asked for.
package struct FetchRange: Hashable, Sendable {
  /// At most so many; 0 = all.
  package var limit: Int
  /// So many are passed over first.
  package var offset: Int

  package init(limit: Int = 0, offset: Int = 0) {
    self.limit = limit
    self.offset = offset
  }

  package var isEverything: Bool { limit == 0 && offset == 0 }

  /// The part of a whole result.
  package func cut<Element>(_ elements: [Element]) -> [Element] {
    if isEverything { return elements }
    let rest = elements.dropFirst(offset)
    return Array(limit == 0 ? rest : rest.prefix(limit))
  }

  /// How many of `count` results are in the part.
  package func cut(count: Int) -> Int {
    let rest = max(0, count - offset)
    return limit == 0 ? rest : min(rest, limit)
  }

  /// The part from which this one can still be cut when up to `count` results have been taken out and others put in.
  func widened(by count: Int) -> FetchRange {
    limit == 0 ? FetchRange() : FetchRange(limit: offset + limit + count)
  }
}
