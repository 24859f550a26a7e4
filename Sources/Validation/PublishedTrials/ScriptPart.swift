import ContextEngine
import MachineCore

/// The blocks that a step runs in one context. Each is posted when the one before it has ended.
struct ScriptPart: Sendable {
  let context: ManagedObjectContext
  /// True if the blocks count as work of an import.
  let isImport: Bool
  /// The time from one block's intended instant to the next one's. With zero, each block follows the one before at
  /// once.
  var interval = TimeSpan.zero
  /// Runs the block with a number, counted from 0, and returns true if another block follows.
  let body: @Sendable (_ block: Int) throws(PersistenceError) -> Bool
}
