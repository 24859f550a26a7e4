// MARK: - Going over many IDs

extension [ObjectID] {
  /// Calls `body` with all IDs and the range of each run of IDs of one entity.
  @inline(__always)
  func forEachRun(_ body: (UnsafeBufferPointer<ObjectID>, Range<Int>) -> Void) {
    withUnsafeBufferPointer { objectIDs in
      var start = 0
      while start < objectIDs.count {
        var end = start + 1
        while end < objectIDs.count, objectIDs[end].entity == objectIDs[start].entity { end += 1 }
        body(objectIDs, start..<end)
        start = end
      }
    }
  }
}
