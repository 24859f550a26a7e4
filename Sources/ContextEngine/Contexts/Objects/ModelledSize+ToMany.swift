extension ModelledSize {
  /// Returns the modelled size of an object's to-many relationships, as far as they were read or changed.
  /// O(relationships).
  static func array(of toManys: [ToManyState]) -> Int {
    if toManys.isEmpty { return 0 }
    var bytes = array
    // A copy of a state would count its references.
    for index in toManys.indices where toManys[index].isUsed {
      bytes += list(toManys[index].base?.count ?? 0)
      bytes += list(toManys[index].added.count) + list(toManys[index].removed.count)
      if let arranged = toManys[index].arranged { bytes += arrangement + list(arranged.count) }
    }
    return bytes + toMany * toManys.count
  }

  private static func list(_ count: Int) -> Int {
    count == 0 ? 0 : array + objectID * count
  }
}
