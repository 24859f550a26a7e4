import ContextEngine
import MachineCore
import Topologies

/// The open store of a row with its stack: what steps work on between two openings.
struct PublishedStage: Sendable {
  let store: any PersistentStore
  let stack: WiredStack
  let watch: StackWatch
  let importContext: ManagedObjectContext
  let list: ShownList?

  var uiContext: ManagedObjectContext { stack.uiContext(ofScreen: 0) }

  func context(of party: PublishedTable.Party) -> ManagedObjectContext {
    switch party {
    case .importing: importContext
    case .ui: uiContext
    }
  }

  /// Every context, children before their parents, so that what a child's save posts is waited for later.
  var contexts: [ManagedObjectContext] {
    let lasting = stack.lastingContexts
    let isLasting = lasting.contains { $0 === importContext }
    return (isLasting ? [] : [importContext]) + lasting.reversed()
  }
}
