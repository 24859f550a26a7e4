import MachineCore
import Synchronization

/// How far an asynchronous fetch has come, and the way to give it up. Thread-safe.
public final class FetchProgress: Sendable {
  private let completed = Atomic(0)
  private let total = Atomic(-1)
  private let cancelled = Atomic(false)

  /// How many objects have been read so far.
  public var completedUnitCount: Int { completed.load(ordering: .relaxed) }

  /// How many there will be: the request's limit, or -1 while nobody knows; the number found once it is finished.
  public var totalUnitCount: Int { total.load(ordering: .relaxed) }

  public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Gives the fetch up: no further row is read, and its completion block is called with `userCancelled`.
  ///
  /// A fetch whose result is on its way to the context already is given up too; one that was delivered is not.
  public func cancel() {
    cancelled.store(true, ordering: .relaxed)
  }

  init(limit: Int) {
    if limit > 0 { total.store(limit, ordering: .relaxed) }
  }

  /// Notes that so many have been read.
  package func advance(to count: Int) {
    completed.store(count, ordering: .relaxed)
  }

  /// - Throws: `.userCancelled` if the fetch was given up.
  package func check() throws(PersistenceError) {
    guard !isCancelled else { throw PersistenceError(.userCancelled, "the fetch was cancelled") }
  }

  func finish(with count: Int) {
    completed.store(count, ordering: .relaxed)
    total.store(count, ordering: .relaxed)
  }
}
