import ContextEngine
import MachineCore

/// The contexts of a stack that have not been freed. Thread-safe.
package final class LivingContexts: Sendable {
  private struct Entry: Sendable {
    weak let context: ManagedObjectContext?
  }

  private let entries = Guarded<[Entry]>([])

  package init() {}

  /// Adds a context.
  @Sendable package func add(_ context: ManagedObjectContext) {
    entries.withLock { $0.append(Entry(context: context)) }
  }

  /// The contexts, in the order in which they were added.
  package var all: [ManagedObjectContext] {
    entries.withLock { entries in
      entries.removeAll { $0.context == nil }
      return entries.compactMap(\.context)
    }
  }
}
