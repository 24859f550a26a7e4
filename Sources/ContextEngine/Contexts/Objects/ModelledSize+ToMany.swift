extension ModelledSize {
  /// Returns the modelled size of an object's to-many relationships, as far as they were read or changed.
  /// O(relationships).
  static func array(of toManys: [ToManyState]) -> Int {
    if toManys.isEmpty { return 0 }
    var bytes = array
    for state in toManys {
      bytes += toMany + list(state.base?.count ?? 0) + list(state.added.count) + list(state.removed.count)
      if let arranged = state.arranged { bytes += arrangement + list(arranged.count) }
    }
    return bytes
  }

  private static func list(_ count: Int) -> Int {
    count == 0 ? 0 : array + objectID * count
  }
}
