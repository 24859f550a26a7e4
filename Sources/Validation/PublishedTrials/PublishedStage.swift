import ContextEngine
import MachineCore
import Topologies

/// The open stores of a row with its stack, on which steps work until the store is opened again.
struct PublishedStage: Sendable {
  /// The stores of the stack's coordinators, which all are the same file.
  let stores: [any PersistentStore]
  let stack: WiredStack
  let watch: StackWatch
  let importContext: ManagedObjectContext
  let list: PublishedList?

  var uiContext: ManagedObjectContext { stack.uiContext(ofScreen: 0) }

  func context(of party: PublishedTable.Party) -> ManagedObjectContext {
    switch party {
    case .importing: importContext
    case .ui: uiContext
    }
  }

  /// All contexts, children before their parents, so that a caller that waits for each also waits for blocks that a
  /// child's save has posted to its parent.
  var contexts: [ManagedObjectContext] {
    let lasting = stack.lastingContexts
    let isLasting = lasting.contains { $0 === importContext }
    return (isLasting ? [] : [importContext]) + lasting.reversed()
  }
}
