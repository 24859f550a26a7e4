import ContextEngine

/// Counts the footprint independently: it searches every registry and the row cache, and repeats the sizes.
enum Recount {
  /// Returns the bytes that a coordinator's contexts hold while they run no blocks.
  ///
  /// It first collects the objects that were released outside of blocks.
  static func bytes(_ contexts: [ManagedObjectContext], _ coordinator: PersistentStoreCoordinator) -> Int {
    for context in contexts { drain(context) }
    var rows: [ObjectIdentifier: Row] = [:]
    for row in coordinator.rowCache.rows { rows[row.identifier] = row }
    var bytes = 21 * coordinator.rowCache.entryCount
    for context in contexts {
      for object in context.registry.allObjects() {
        if let row = object.snapshot { rows[row.identifier] = row }
        if let row = object.changedRow { rows[row.identifier] = row }
        bytes += self.bytes(of: object)
      }
    }
    return rows.values.reduce(bytes) { $0 + self.bytes(of: $1) }
  }

  static func bytes(of row: Row) -> Int {
    row.values.reduce(32) { bytes, value in
      switch value {
      case .string(let string): bytes + 10 + string.utf8.count
      case .binary(let data): bytes + 10 + data.count
      case .uri(let uri): bytes + 10 + uri.absoluteString.utf8.count
      case .decimal: bytes + 10 + 20
      case .uuid: bytes + 10 + 16
      default: bytes + 10
      }
    }
  }

  private static func bytes(of object: ManagedObject) -> Int {
    var bytes = 117
    if object.isInserted || object.isUpdated || object.flags.contains(.deleted) { bytes += 16 }
    if !object.toManys.isEmpty { bytes += 32 }
    for state in object.toManys {
      let counts = [state.base?.count ?? 0, state.added.count, state.removed.count, state.arranged?.count ?? 0]
      bytes += 40 + (state.arranged == nil ? 0 : 32) + counts.filter { $0 > 0 }.reduce(0) { $0 + 32 + 16 * $1 }
    }
    return bytes
  }
}
