import ContextEngine
import MachineCore

/// The resources that a process uses at one instant.
package struct ProcessResources: Codable, Hashable, Sendable {
  /// The bytes that are allocated on the heap, or 0 if they are not known.
  package var heapBytes: Int64
  package var descriptorsCount: Int64
  package var threadsCount: Int64
  /// The objects that are registered in contexts.
  package var registeredObjectsCount: Int64

  package init(heapBytes: Int64, descriptorsCount: Int64, threadsCount: Int64, in contexts: [ManagedObjectContext]) {
    self.heapBytes = heapBytes
    self.descriptorsCount = descriptorsCount
    self.threadsCount = threadsCount
    registeredObjectsCount = contexts.reduce(0) { $0 + Int64($1.registeredCount) }
  }
}

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
