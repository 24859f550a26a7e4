import ContextEngine
import Dispatch
import Glibc
import MachineCore
import Metrics

/// A leak that a test plants in a soak, to see that the soak finds it.
struct PlantedLeak {
  private let resource: SoakedResource
  /// A context of the leak. Its objects stay registered, or it keeps the log from being copied into the store.
  private let context: ManagedObjectContext
  private let entity: EntityDescription
  private var bytes: [[UInt8]] = []
  private var threads: [OwnThread] = []

  /// The number of bytes that leak in a round.
  private static let byteCount = 100_000

  init(of resource: SoakedResource, _ session: TrialSession, _ schema: EngineSchema, _ contexts: LivingContexts) {
    self.resource = resource
    context = ManagedObjectContext(.privateQueue, coordinator: session.stack.coordinator, name: "leak")
    entity = schema.entities[0].description
    contexts.add(context)
  }

  /// Leaks some of the resource.
  ///
  /// - Throws: `PersistenceError` if the store cannot be read.
  mutating func grow() throws(PersistenceError) {
    switch resource {
    case .heap: bytes.append(Array(repeating: 1, count: Self.byteCount))
    case .log: try context.performAndWait(pin)
    case .descriptors: _ = open("/dev/null", O_RDONLY | O_CLOEXEC)
    case .threads: threads.append(OwnThread { DispatchSemaphore(value: 0).wait() })
    case .registeredObjects: context.performAndWait { _ = context.insert(entity) }
    }
  }

  /// Reads from the state that the store has in the first round.
  private func pin() throws(PersistenceError) {
    if context.queryGenerationToken == nil { try context.setQueryGeneration(from: .current) }
    _ = try context.count(for: FetchRequest(entity))
  }
}
