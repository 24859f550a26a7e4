import Foundation

/// How many bytes the engine reckons for what it holds, by rule and not by asking an allocator.
///
/// The figures are those of a 64-bit device with this engine's own layout, written out as numbers: the same in every
/// build, on every host. Lists of results and observers, requests to a store under way and the identities that nested
/// contexts remember are left out. Integers throughout.
enum ModelledSize {
  /// A registered object without values (96) and its slot of 16 bytes in the registry's table, which is three quarters full.
  static let object = 117
  /// What being new, changed or deleted adds: a place in the context's list of such objects and one in its event.
  static let pendingChange = 16
  /// An ID in the row cache: a slot of 16 bytes in a table that is three quarters full. Temporary IDs have one too.
  static let cacheEntry = 21
  /// A row without slots: the header of an object and that of a row.
  static let row = 40
  /// A slot of a row: a word, and what kind of value it is.
  static let slot = 10
  /// The header of every array.
  static let array = 32
  static let objectID = 16
  /// One to-many relationship of an object, once any has been used.
  static let toMany = 40
  /// What an ordered relationship adds whose members were arranged: a box for what was read and for the order.
  static let arrangement = 32

  /// The bytes of a value that do not fit into its slot's word and lie behind them. O(1).
  static func payload(of value: Value) -> Int {
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
