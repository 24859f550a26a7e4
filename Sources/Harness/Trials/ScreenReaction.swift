import ContextEngine
import MachineCore
import Topologies

/// The delegate of a stack, which updates the app's screens and follows saves and merges.
final class ScreenReaction: StackDelegate {
  let screens = Guarded<[Screen]>([])
  let failure = Guarded<(any Error)?>(nil)
  /// The inputs of computations whose results a put-off save could not write, because they were deleted.
  let missedInputs = Guarded<[ObjectID]>([])
  /// The index of the entity of these inputs, or nil if the model does not have it.
  private let inputEntity: Int?
  private let machine: any Machine
  private let tracker: FreshnessTracker
  private let heap: any HeapMeter
  private let didMakeContext: @Sendable (ManagedObjectContext) -> Void
  private let didFail: @Sendable (any Error) -> Void

  init(
    machine: any Machine, tracker: FreshnessTracker, heap: any HeapMeter, inputEntity: Int?,
    didMakeContext: @escaping @Sendable (ManagedObjectContext) -> Void,
    didFail: @escaping @Sendable (any Error) -> Void
  ) {
    self.inputEntity = inputEntity
    self.machine = machine
    self.tracker = tracker
    self.heap = heap
    self.didMakeContext = didMakeContext
    self.didFail = didFail
  }

  func stack(_ stack: WiredStack, didMake context: ManagedObjectContext) {
    tracker.watch(context, isShown: context.name == stack.topology.uiContext)
    _ = context.observeMerges { [heap] merge in
      if merge.stage == .ended { heap.sample() }
    }
    didMakeContext(context)
  }

  func stack(_ stack: WiredStack, willPostMergeOf save: SaveNotification, into context: ManagedObjectContext) {
    tracker.mergePosted(of: save, isShown: context.name == stack.topology.uiContext)
  }

  func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification, into context: ManagedObjectContext) {
    if context.name == stack.topology.uiContext { tracker.mergeSkipped(of: save) }
  }

  func stack(_ stack: WiredStack, didReach stage: RemoteMergeStage, ofRemoteMergeInto context: ManagedObjectContext) {
    tracker.remoteMerge(stage, into: context, isShown: context.name == stack.topology.uiContext)
    if case .ended = stage { heap.sample() }
  }

  /// Resets each context once. Then opens each screen again: makes its controller, fetches its list and reads its
  /// cells.
  func stack(_ stack: WiredStack, refetch numbers: [Int], after payload: Int?) {
    let screens = screens.withLock { screens in numbers.map { screens[$0] } }
    machine.recorder.during(.reset, in: screens.first?.context.name) {
      var reset: [ManagedObjectContext] = []
      for screen in screens where !reset.contains(where: { $0 === screen.context }) {
        screen.close()
        screen.context.reset()
        reset.append(screen.context)
      }
      do throws(PersistenceError) {
        for screen in screens {
          tracker.payloads.fetched(by: screen.number)
          try screen.open()
          screen.readVisibleCells()
        }
      } catch {
        failure.withLock { $0 = error }
      }
      machine.recorder.add(objectCount: screens.reduce(0) { $0 + ($1.rows?.count ?? 0) })
      if let payload {
        for screen in screens { tracker.payloads.held(payload: payload, screen: screen.number) }
      }
    }
    heap.sample()
  }

  /// Records the error, unless the save failed only because of deleted inputs of computations. It is then repeated
  /// without them.
  func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError) {
    var error = error
    if error.code == .managedObjectMerge, !error.objectIDs.isEmpty,
      error.objectIDs.allSatisfy({ $0.entityIndex == inputEntity })
    {
      missedInputs.withLock { $0 += error.objectIDs }
      do throws(PersistenceError) {
        for objectID in error.objectIDs {
          try context.refresh(context.object(with: objectID), mergeChanges: false)
        }
        return try context.save()
      } catch let repeated {
        error = repeated
      }
    }
    failure.withLock { [error] in if $0 == nil { $0 = error } }
    didFail(error)
  }
}
