// MARK: - Visiting many objects entity by entity

extension Array {
  /// Calls `body` with all elements and the range of each longest stretch of neighbouring elements that have the same
  /// group. O(n).
  ///
  /// The elements are not copied: a caller that visits them by index counts no references.
  @inline(__always)
  func forEachRun<Group: Equatable>(
    by group: (Element) -> Group, _ body: (UnsafeBufferPointer<Element>, Range<Int>) -> Void
  ) {
    withUnsafeBufferPointer { elements in
      var start = 0
      while start < elements.count {
        let wanted = group(elements[start])
        var end = start + 1
        while end < elements.count, group(elements[end]) == wanted { end += 1 }
        body(elements, start..<end)
        start = end
      }
    }
  }
}
