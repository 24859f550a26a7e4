/// A state of the stores that contexts read from for as long as they are pinned to it.
///
/// The stores keep the state for as long as a token of it, or a context pinned to it, is there: a write-ahead log is not
/// copied back beyond it meanwhile, and grows.
public struct QueryGenerationToken: Sendable, Hashable {
  /// Nil = the newest one when it is first read from.
  let generation: QueryGeneration?

  /// The newest generation at the time at which a context pinned to it first reads.
  public static let current = QueryGenerationToken(generation: nil)

  public static func == (left: QueryGenerationToken, right: QueryGenerationToken) -> Bool {
    left.generation === right.generation
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(generation?.number ?? 0)
  }
}

/// The rows of a coordinator's stores as they were at one moment.
final class QueryGeneration: Sendable {
  /// Counts the generations of a coordinator, from 1.
  let number: Int
  /// The one whose stores these are.
  let origin: PersistentStoreCoordinator
  /// Reads the rows of that moment; it has a row cache of its own, whose rows stay as long as the generation.
  let reader: PersistentStoreCoordinator

  init(number: Int, origin: PersistentStoreCoordinator, reader: PersistentStoreCoordinator) {
    self.number = number
    self.origin = origin
    self.reader = reader
  }
}
