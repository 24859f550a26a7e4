import ContextEngine
import MachineCore

/// Blocks that a step runs in one context, each of which is posted when the one before has ended.
struct ScriptPart: Sendable {
  let context: ManagedObjectContext
  /// Whether the blocks count as an import's.
  let isImport: Bool
  /// The time from one block's intended instant to the next one's; zero = each comes right after the one before.
  var interval = Span.zero
  /// Runs block number `block`, counted from 0, and returns whether another one follows.
  let body: @Sendable (_ block: Int) throws(PersistenceError) -> Bool
}
