/// Where some objects stand in a list that is gone over once.
///
/// The objects of one list have one root entity, so that their keys tell them apart.
struct ListPlaces {
  private var positions = KeyTable<Int>()
  /// A bit for what an ID comes to, since nearly all of a list are not among those that are looked for.
  private var bitmap: [UInt64] = Array(repeating: 0, count: 1024)

  private static var nowhere: Int { -1 }

  var isEmpty: Bool { positions.count == 0 }

  /// Adds an object that is looked for.
  mutating func want(_ objectID: ObjectID) {
    bitmap[Self.word(objectID)] |= Self.bit(objectID)
    positions.withElement(of: objectID.key) { $0 = Self.nowhere }
  }

  /// Takes down where those of a list's objects stand that are looked for. O(n).
  mutating func note(_ list: [ObjectID]) {
    bitmap.withUnsafeBufferPointer { bitmap in
      list.withUnsafeBufferPointer { list in
        for position in list.indices where bitmap[Self.word(list[position])] & Self.bit(list[position]) != 0 {
          positions.withElement(of: list[position].key) { if $0 != nil { $0 = position } }
        }
      }
    }
  }

  /// Where an object that was looked for stands; nil = not in the list.
  subscript(objectID: ObjectID) -> Int? {
    positions[objectID.key].flatMap { $0 == Self.nowhere ? nil : $0 }
  }

  private static func word(_ objectID: ObjectID) -> Int { Int(truncatingIfNeeded: objectID.key >> 6) & 1023 }
  private static func bit(_ objectID: ObjectID) -> UInt64 { 1 << UInt64(truncatingIfNeeded: objectID.key & 63) }
}
