import ContextEngine
import Topologies
import Workloads

/// The check of the objects that the contexts of a pool hold at the end of a trial.
///
/// A context of a pool gets no changes of others. An object of it that differs from the store is one that a later
/// payload would find and believe.
struct PooledObjects {
  let archive: WorkloadArchive
  let schema: EngineSchema
  let stack: WiredStack

  /// The contexts of the stack's pool, which are none in most stacks.
  private var contexts: [ManagedObjectContext] {
    let names = Set(stack.topology.contexts.filter { $0.lifetime == .pool }.map(\.name))
    return names.isEmpty ? [] : stack.lastingContexts.filter { names.contains($0.name) }
  }

  /// Returns the realised objects of each context that differ from the rows that the store should have, in the attributes
  /// that lists show. `checker` returns the checker of an entity's lists. Blocks on each context's queue in turn.
  func stale(_ checker: (Int) -> ListChecker) -> [ListChecker.Difference] {
    let contexts = contexts
    guard !contexts.isEmpty else { return [] }
    return schema.entities.filter { archive.schema.entities[$0.description.index].isImported }.flatMap { entity in
      let checker = checker(entity.description.index)
      return contexts.map { checker.compareSome(rows(of: entity, in: $0)) }
    }
  }

  private func rows(of entity: EngineSchema.Entity, in context: ManagedObjectContext) -> [ListChecker.Row] {
    context.performAndWait {
      context.registeredObjects.filter { $0.entity === entity.description && !$0.isFault && !$0.isDeleted }
        .compactMap { object in
          entity.key(of: object).map { ListChecker.Row(key: $0, shown: entity.shown.map { FieldValue(object[$0]) }) }
        }
    }
  }
}
