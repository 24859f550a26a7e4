/// The part of an ordered result that is requested.
package struct FetchRange: Hashable, Sendable {
  /// The maximum number of results, or 0 for all.
  package var limit: Int
  /// The number of results that are skipped first.
  package var offset: Int

  package init(limit: Int = 0, offset: Int = 0) {
    self.limit = limit
    self.offset = offset
  }

  package var isEverything: Bool { limit == 0 && offset == 0 }

  /// Returns the part of a whole result.
  package func cut<Element>(_ elements: [Element]) -> [Element] {
    if isEverything { return elements }
    let rest = elements.dropFirst(offset)
    return Array(limit == 0 ? rest : rest.prefix(limit))
  }

  /// Returns the number of elements in the part if the whole result has `count` elements.
  package func cut(count: Int) -> Int {
    let rest = max(0, count - offset)
    return limit == 0 ? rest : min(rest, limit)
  }

  /// Returns the part from which this one can still be cut after up to `count` results have been removed and others
  /// inserted.
  func widened(by count: Int) -> FetchRange {
    limit == 0 ? FetchRange() : FetchRange(limit: offset + limit + count)
  }
}
