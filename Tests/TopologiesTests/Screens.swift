import ContextEngine
import MachineCore
import TestSupport
import Topologies

/// The screens of the tests, and their reactions to the stack.
///
/// Lists are used on the main queue only.
final class Screens: StackDelegate, FetchedResultsControllerDelegate {
  /// A refetch that a rule asked for.
  struct Refetch: Equatable, Sendable {
    var screens: [Int]
    var payload: Int?
  }

  let refetches = Journal<Refetch>()
  /// The block of the main queue in which each refetch ran.
  let refetchBlocks = Journal<Int>()
  let postedMerges = Journal<String>()
  /// The saves whose only changes came from the UI context's push.
  let skippedMerges = Journal<String>()
  let failures = Journal<String>()
  private let mainThread: MainThreadRecorder
  private let onMake: @Sendable (ManagedObjectContext) -> Void
  private let onEvent: @Sendable (String) -> Void
  private let controllers = Guarded<[Int: FetchedResultsController]>([:])

  init(
    _ mainThread: MainThreadRecorder, onMake: @escaping @Sendable (ManagedObjectContext) -> Void,
    onEvent: @escaping @Sendable (String) -> Void
  ) {
    self.mainThread = mainThread
    self.onMake = onMake
    self.onEvent = onEvent
  }

  /// Returns the list of a screen, or nil while it is closed.
  func rows(_ screen: Int) -> FetchedObjects? { controllers.withLock { $0[screen] }?.fetchedObjects }

  /// Makes the controller of a screen, fetches its list and reads the first rows. Call this method in an event of the
  /// screen's context.
  func open(_ screen: Int, _ stack: WiredStack) throws(PersistenceError) {
    let context = stack.uiContext(ofScreen: screen)
    let entity = Catalogue.model.entities[stack.options.screenEntities[screen]]
    let name = entity.path("name")
    let remoteID = entity.path("remoteID")
    var request = FetchRequest(entity, sortDescriptors: [FetchSortDescriptor(name), FetchSortDescriptor(remoteID)])
    request.fetchBatchSize = 10
    if stack.topology.fetchesShownProperties { request.propertiesToFetch = [remoteID, name] }
    let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    controller.delegate = self
    try controller.performFetch()
    if let list = controller.fetchedObjects {
      for object in list.prefix(5) { _ = object[name] }
    }
    controllers.withLock { $0[screen] = controller }
  }

  // MARK: The stack's delegate

  func stack(_ stack: WiredStack, didMake context: ManagedObjectContext) {
    onMake(context)
  }

  func stack(_ stack: WiredStack, willPostMergeOf save: SaveNotification, into context: ManagedObjectContext) {
    postedMerges.write(save.context.name)
    onEvent("merge of \(save.context.name) posted")
  }

  func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification, into context: ManagedObjectContext) {
    skippedMerges.write(save.context.name)
  }

  func stack(_ stack: WiredStack, didReach stage: RemoteMergeStage, ofRemoteMergeInto context: ManagedObjectContext) {
    let name =
      switch stage {
      case .posted: "posted"
      case .begun: "begun"
      case .ended: "ended"
      }
    onEvent("remote merge into \(context.name) \(name)")
  }

  func stack(_ stack: WiredStack, refetch screens: [Int], after payload: Int?) {
    refetches.write(Refetch(screens: screens, payload: payload))
    refetchBlocks.write(mainThread.blockCount)
    onEvent("refetch of \(screens)")
    var reset: [ManagedObjectContext] = []
    for screen in screens where rows(screen) != nil {
      controllers.withLock { $0[screen] = nil }
      let context = stack.uiContext(ofScreen: screen)
      if !reset.contains(where: { $0 === context }) {
        context.reset()
        reset.append(context)
      }
    }
    do throws(PersistenceError) {
      for screen in screens where !reset.isEmpty { try open(screen, stack) }
    } catch {
      failures.write("\(error)")
    }
  }

  func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError) {
    failures.write("\(context.name): \(error)")
  }

  // MARK: The controllers' delegate

  func controllerWillChangeContent(_ controller: FetchedResultsController) {}
  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {}
  func controllerDidChangeContent(_ controller: FetchedResultsController) {}
}
