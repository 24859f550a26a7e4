import Foundation

/// The number of bytes that the engine counts for the things it holds. The numbers follow from rules; no allocator is
/// asked.
///
/// The figures describe a 64-bit device with this engine's own layout, written out as numbers, so that they are the
/// same in every build on every host. Lists of results and observers, pending requests to a store and the identities
/// that nested contexts record are left out. All figures are integers.
package enum ModelledSize {
  /// A registered object without values (96 bytes) and its slot of 16 bytes in the registry's table, which is three
  /// quarters full.
  static let object = 117
  /// The size that a new, changed or deleted object adds: a place in the context's list of such objects and one in its
  /// event.
  static let pendingChange = 16
  /// An ID in the row cache: a slot of 16 bytes in a table that is three quarters full. Temporary IDs have a slot too.
  package static let cacheEntry = 21
  /// A row without slots: the header of an object and that of a row.
  package static let row = 32
  /// A slot of a row: a word, and the kind of its value.
  package static let slot = 10
  /// The header of every array.
  static let array = 32
  package static let objectID = 16
  /// One to-many relationship of an object, counted once any of the object's has been used.
  package static let toMany = 40
  /// The size that an ordered relationship adds once its members were arranged: a box for the members as read and for
  /// the order.
  static let arrangement = 32

  /// Returns the number of bytes of a value that do not fit into its slot's word and are stored behind the words. O(1).
  package static func payload(of value: Value) -> Int {
    switch value {
    case .string(let string): string.utf8.count
    case .binary(let data): data.count
    case .uri(let uri): uri.absoluteString.utf8.count
    case .decimal: MemoryLayout<Decimal>.size
    case .uuid: MemoryLayout<UUID>.size
    default: 0
    }
  }
}
