/// The positions of some objects in a list, found in one pass over it.
///
/// The objects of a list have one root entity, so their keys identify them.
struct ListPlaces {
  private var positions = KeyTable<Int>()
  /// A bitmap of the low bits of the wanted keys. It is checked first, since nearly all elements of a list are not
  /// wanted.
  private var bitmap: [UInt64] = Array(repeating: 0, count: 1024)

  private static var nowhere: Int { -1 }

  var isEmpty: Bool { positions.count == 0 }

  /// Adds an object to those whose positions are wanted.
  mutating func want(_ objectID: ObjectID) {
    bitmap[Self.word(objectID)] |= Self.bit(objectID)
    positions.withElement(of: objectID.key) { $0 = Self.nowhere }
  }

  /// Records the positions of the wanted objects in the list. O(n).
  mutating func note(_ list: [ObjectID]) {
    bitmap.withUnsafeBufferPointer { bitmap in
      list.withUnsafeBufferPointer { list in
        for position in list.indices where bitmap[Self.word(list[position])] & Self.bit(list[position]) != 0 {
          positions.withElement(of: list[position].key) { if $0 != nil { $0 = position } }
        }
      }
    }
  }

  /// Returns the position of a wanted object, or nil if it is not in the list.
  subscript(objectID: ObjectID) -> Int? {
    positions[objectID.key].flatMap { $0 == Self.nowhere ? nil : $0 }
  }

  private static func word(_ objectID: ObjectID) -> Int { Int(truncatingIfNeeded: objectID.key >> 6) & 1023 }
  private static func bit(_ objectID: ObjectID) -> UInt64 { 1 << UInt64(truncatingIfNeeded: objectID.key & 63) }
}
