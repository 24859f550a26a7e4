import MachineCore
import Synchronization

/// The progress of an asynchronous fetch, and the means to cancel it. Thread-safe.
public final class FetchProgress: Sendable {
  private let completed = Atomic(0)
  private let total = Atomic(-1)
  private let cancelled = Atomic(false)

  /// The number of objects that have been read so far.
  ///
  /// It grows while an SQLite store steps over rows; an in-memory store reads all rows at once. It can exceed
  /// ``totalUnitCount`` meanwhile if the context has unsaved changes.
  public var completedUnitCount: Int { completed.load(ordering: .relaxed) }

  /// The number of objects to be read: the request's limit, or -1 if it has no limit. After the fetch has succeeded it
  /// is the number of objects found.
  public var totalUnitCount: Int { total.load(ordering: .relaxed) }

  /// Indicates whether the fetch was cancelled.
  public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Cancels the fetch: its completion block is called with `userCancelled`. An SQLite store reads no further row.
  ///
  /// A fetch whose result is already on its way to the context is cancelled too; one whose result was delivered is not.
  public func cancel() {
    cancelled.store(true, ordering: .relaxed)
  }

  init(limit: Int) {
    if limit > 0 { total.store(limit, ordering: .relaxed) }
  }

  /// Sets the number of objects that have been read.
  package func advance(to count: Int) {
    completed.store(count, ordering: .relaxed)
  }

  /// Throws if the fetch was cancelled.
  ///
  /// - Throws: `.userCancelled`.
  package func check() throws(PersistenceError) {
    guard !isCancelled else { throw PersistenceError(.userCancelled, "the fetch was cancelled") }
  }

  func finish(with count: Int) {
    completed.store(count, ordering: .relaxed)
    total.store(count, ordering: .relaxed)
  }
}
