/// A state of the stores that a context reads from while it is pinned to it.
///
/// The stores keep the state while a token for it, or a context that is pinned to it, exists. During this time the
/// write-ahead log is not copied back beyond the state, and grows.
public struct QueryGenerationToken: Sendable, Hashable {
  /// The pinned generation, or nil for the newest generation at the time of the first read.
  let generation: QueryGeneration?

  /// The newest generation at the time at which a context pinned to it first reads.
  public static let current = QueryGenerationToken(generation: nil)

  /// Returns true if both tokens name the same generation, or if both are ``current``.
  public static func == (left: QueryGenerationToken, right: QueryGenerationToken) -> Bool {
    left.generation === right.generation
  }

  /// Feeds the number of the generation into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(generation?.number ?? 0)
  }
}

/// The rows of a coordinator's stores as they were at one moment.
final class QueryGeneration: Sendable {
  /// The number of the generation among those of its coordinator, from 1.
  let number: Int
  /// The coordinator whose stores are pinned.
  let origin: PersistentStoreCoordinator
  /// The coordinator that reads the pinned rows. It has a separate row cache, whose rows stay as long as the
  /// generation.
  let reader: PersistentStoreCoordinator

  init(number: Int, origin: PersistentStoreCoordinator, reader: PersistentStoreCoordinator) {
    self.number = number
    self.origin = origin
    self.reader = reader
  }
}
