// MARK: - Visiting many objects entity by entity

extension UnsafeBufferPointer {
  /// Calls `body` with all elements and the range of each longest stretch of neighbouring elements that have the same
  /// group. O(n).
  ///
  /// The elements are not copied: a caller that visits them by index counts no references.
  @inline(__always)
  func forEachRun<Group: Equatable>(
    by group: (Element) -> Group, _ body: (UnsafeBufferPointer<Element>, Range<Int>) -> Void
  ) {
    var start = 0
    while start < count {
      let wanted = group(self[start])
      var end = start + 1
      while end < count, group(self[end]) == wanted { end += 1 }
      body(self, start..<end)
      start = end
    }
  }
}

extension Array {
  /// Calls `body` with all elements and the range of each longest stretch of neighbouring elements that have the same
  /// group. O(n).
  @inline(__always)
  func forEachRun<Group: Equatable>(
    by group: (Element) -> Group, _ body: (UnsafeBufferPointer<Element>, Range<Int>) -> Void
  ) {
    withUnsafeBufferPointer { $0.forEachRun(by: group, body) }
  }
}
