import ContextEngine
import MachineCore
import Metrics

/// One computation of the work in flight: its context, its input, and what has become of both.
final class Computation: Sendable {
  /// The number of the computation, counted from 0.
  let number: Int
  /// The context in which the computation reads its input and applies its result.
  let context: ManagedObjectContext
  /// The IDs of the inputs, in the order of their numbers.
  let objectIDs: [ObjectID]
  private let state = Guarded(State())

  private struct State {
    var objects: [ManagedObject] = []
    var amounts: [Int64] = []
    var isCancelled = false
    var isSaving = false
    var hasMissedInput = false
    var observation: ObserverToken?
    var fate: ComputationFate?
    var isSaved = false
    /// True once the user may change the input again.
    var isClosed = false
    var wait: TimeSpan?
  }

  init(_ number: Int, on objectIDs: [ObjectID], in context: ManagedObjectContext) {
    self.number = number
    self.objectIDs = objectIDs
    self.context = context
  }

  /// The place, among the inputs, of the one that the user deletes. It is another one from computation to computation.
  private var deletedPlace: Int { number % objectIDs.count }

  /// The ID of the input that the user deletes.
  var deletedID: ObjectID { objectIDs[deletedPlace] }

  // MARK: Cancelling

  /// Makes the computation end before it applies its result. It has no effect if the result is being applied.
  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: Input

  /// Keeps the input and its values until the computation ends.
  func hold(_ objects: [ManagedObject], amounts: [Int64]) {
    state.withLock { state in
      state.objects = objects
      state.amounts = amounts
    }
  }

  var objects: [ManagedObject] { state.withLock { $0.objects } }
  var amounts: [Int64] { state.withLock { $0.amounts } }

  /// Releases the input. Call this method on the context's queue.
  func release() {
    let objects = state.withLock { state in
      defer { state.objects = [] }
      return state.objects
    }
    withExtendedLifetime(objects) {}
  }

  /// Begins to observe whether an input is deleted in the parent context when the result is pushed there. The push skips
  /// such an input without an error. Pushes of an import in the same context are not observed.
  func observePushes() {
    guard let parent = context.parent else { return }
    let token = parent.observeDidChange { [unowned self, unowned parent] change in
      guard case .push(let child) = change.origin, child === context, state.withLock({ $0.isSaving }) else { return }
      let isMissing = objectIDs.contains { parent.registeredObject(for: $0)?.isDeleted ?? true }
      if isMissing { state.withLock { $0.hasMissedInput = true } }
    }
    state.withLock { $0.observation = token }
  }

  func stopObserving() {
    state.withLock { state in
      defer { state.observation = nil }
      return state.observation
    }?.cancel()
  }

  /// Saves the result by calling `save`. Call this method on the context's queue.
  func save(_ save: () throws(PersistenceError) -> Void) throws(PersistenceError) {
    state.withLock { $0.isSaving = true }
    defer { state.withLock { $0.isSaving = false } }
    try save()
  }

  /// True if the parent context lacked an input when the result was pushed there.
  var hasMissedInput: Bool { state.withLock { $0.hasMissedInput } }

  // MARK: End

  /// Records the end of the computation. `isSaved` is true if a save has accepted the result.
  func end(as fate: ComputationFate, isSaved: Bool) {
    state.withLock { state in
      state.fate = fate
      state.isSaved = isSaved
    }
  }

  /// Records that the user may change the input again.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Records that the user's deletion has been saved, and the time that it took.
  func deleted(after wait: TimeSpan) {
    state.withLock { $0.wait = wait }
  }

  /// The record of the computation, or nil until it is closed and the deletion has been saved.
  var record: Record? {
    state.withLock { state in
      guard state.isClosed, let fate = state.fate, let wait = state.wait else { return nil }
      return Record(
        number: number, fate: fate, isSaved: state.isSaved,
        deletedID: deletedID, deletedInput: ComputationInputs.numbers(of: number).lowerBound + Int64(deletedPlace),
        wait: wait)
    }
  }

  /// The facts about a computation that has ended.
  struct Record: Sendable {
    var number: Int
    var fate: ComputationFate
    /// True if a save has accepted the result.
    var isSaved: Bool
    /// The ID of the input that the user has deleted.
    var deletedID: ObjectID
    /// The number of the input that the user has deleted.
    var deletedInput: Int64
    /// The time from the user's wish to delete an input until the deletion was saved.
    var wait: TimeSpan
  }
}
