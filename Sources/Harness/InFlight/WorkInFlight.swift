import ContextEngine
import MachineCore
import Metrics
import Topologies

/// Computations in the background whose input the user deletes while they run.
///
/// One computation runs at a time. It begins in a block of the main queue, reads three inputs in a context that is wired
/// as the topology's background work is, and computes on a queue of the app. It then applies its result in that context
/// and saves. In a stack whose background work uses the main queue, all of that is one block there. In the middle of the
/// computation the user deletes one input, and saves as the topology saves edits.
///
/// The problem and the policies are those of 'In defense of Core Data (Part I)', 2013.
final class WorkInFlight: Sendable {
  let machine: any Machine
  let policy: RunOptions.InFlight
  let stack: WiredStack
  let inputs: ComputationInputs
  private let spendCPU: @Sendable (TimeSpan) -> Void
  private let windowStart: Instant
  private let timer: any SerialQueue
  private let queue: any SerialQueue
  private let state = Guarded(State())

  private struct State {
    var isStopped = false
    /// True from the moment at which a computation is due until it and the deletion have ended.
    var isBusy = false
    /// True while a dialog prevents the user from changing anything.
    var isModal = false
    /// The inputs that are locked.
    var locked: [ObjectID] = []
    /// The number of deletions that have met a lock.
    var lockedDeletionCount = 0
    /// The actions of the user that wait for the computation.
    var waiting: [@Sendable () -> Void] = []
    var records: [Computation.Record] = []
    var failure: PersistenceError?
  }

  /// The time between the starts of two computations. A computation that is due while another one runs is left out.
  static let interval = TimeSpan.milliseconds(500)
  /// The number of parts of a computation. It can be cancelled between two of them.
  static let partCount = 20
  /// The CPU time of one part.
  static let partLength = TimeSpan.milliseconds(10)

  /// Creates the work. It begins when it is started.
  init(
    machine: any Machine, policy: RunOptions.InFlight, stack: WiredStack, inputs: ComputationInputs,
    windowStart: Instant, spendCPU: @escaping @Sendable (TimeSpan) -> Void
  ) {
    self.machine = machine
    self.policy = policy
    self.stack = stack
    self.inputs = inputs
    self.windowStart = windowStart
    self.spendCPU = spendCPU
    timer = machine.makeSerialQueue(label: "computation timer")
    queue = machine.makeSerialQueue(label: "computation")
  }

  /// Schedules the first computation, and returns at once.
  func start() {
    schedule(0, at: windowStart)
  }

  /// Prevents further computations. One that has begun continues to its end; see `isIdle`.
  func stop() {
    state.withLock { $0.isStopped = true }
  }

  /// True if no computation runs and no deletion waits.
  var isIdle: Bool { state.withLock { !$0.isBusy } }

  /// The computations that have ended, in order.
  var records: [Computation.Record] { state.withLock { $0.records } }

  /// The error that stopped the work, or nil if there was none. The errors that a policy should prevent are not among
  /// them.
  var failure: PersistenceError? { state.withLock { $0.failure } }

  /// Runs an action of the user, or keeps it until the dialog is closed. Call this method on the main queue.
  func whenNotModal(_ action: @escaping @Sendable () -> Void) {
    let isKept = state.withLock { state in
      if state.isModal { state.waiting.append(action) }
      return state.isModal
    }
    if !isKept { action() }
  }

  private func schedule(_ number: Int, at due: Instant) {
    guard number < ComputationInputs.largestComputationCount else { return }
    timer.async(at: due) { [self] in
      let isDue = state.withLock { state in
        if !state.isStopped { state.isBusy = true }
        return !state.isStopped
      }
      if isDue { machine.mainQueue.async { [self] in begin(number) } }
    }
  }

  private func fail(_ error: PersistenceError) {
    state.withLock { if $0.failure == nil { $0.failure = error } }
  }
}

// MARK: - One computation

extension WorkInFlight {
  /// Fetches the inputs for the user, who starts a computation on them. Runs on the main queue.
  private func begin(_ number: Int) {
    let shown = stack.uiContext(ofScreen: 0)
    do throws(PersistenceError) {
      let objectIDs = try machine.recorder.during(.edit, of: ComputationInputs.countPerComputation, in: shown.name) {
        () throws(PersistenceError) in
        try shown.event { () throws(PersistenceError) in
          try shown.fetch(inputs.request(for: number)).map(\.objectID)
        }
      }
      let computation = Computation(number, on: objectIDs, in: stack.backgroundContext())
      state.withLock { state in
        state.isModal = policy == .modal
        state.locked = policy == .lock ? objectIDs : []
      }
      computation.observePushes()
      post(computation)
    } catch {
      fail(error)
    }
  }

  private func post(_ computation: Computation) {
    guard !stack.hasBackgroundWorkOnMain else {
      computation.context.post { [self] in
        guard read(computation) else { return }
        compute(computation)
        apply(computation)
      }
      return
    }
    computation.context.post { [self] in
      guard read(computation) else { return }
      queue.async { [self] in
        compute(computation)
        computation.context.post { [self] in apply(computation) }
      }
    }
  }

  /// Reads the inputs in the computation's context, and returns false if that fails.
  private func read(_ computation: Computation) -> Bool {
    let context = computation.context
    return machine.recorder.during(.computation, of: computation.objectIDs.count, in: context.name) {
      do throws(PersistenceError) {
        var objects: [ManagedObject] = []
        for objectID in computation.objectIDs { objects.append(try context.existingObject(with: objectID)) }
        computation.hold(objects, amounts: objects.map(amount))
        return true
      } catch {
        fail(error)
        return false
      }
    }
  }

  /// Uses the CPU time of the computation on the calling thread. In the middle, the user wants to delete an input.
  private func compute(_ computation: Computation) {
    machine.recorder.during(.computation) {
      for part in 0..<Self.partCount {
        if computation.isCancelled { return }
        if part == Self.partCount / 2 {
          let intended = machine.now
          machine.mainQueue.async { [self] in wantDeletion(of: computation, at: intended) }
        }
        spendCPU(Self.partLength)
      }
    }
  }

  private func amount(of object: ManagedObject) -> Int64 { object.integer(at: inputs.amount) ?? 0 }
}

// MARK: - The result

extension WorkInFlight {
  /// Applies the result as the policy says, on the queue of the computation's context.
  private func apply(_ computation: Computation) {
    let context = computation.context
    machine.recorder.during(.computation, of: computation.objectIDs.count, in: context.name) {
      do throws(PersistenceError) {
        let (fate, isSaved) = try outcome(of: computation)
        computation.end(as: fate, isSaved: isSaved)
      } catch {
        // A save that fails leaves the changes in the context, where the next save would find them.
        context.rollback()
        guard error.code == .managedObjectMerge || error.code == .referentialIntegrity else { return fail(error) }
        computation.end(as: .failed, isSaved: false)
      }
      computation.release()
    }
    machine.mainQueue.async { [self] in ended(computation) }
  }

  private func outcome(of computation: Computation) throws(PersistenceError) -> (ComputationFate, isSaved: Bool) {
    if computation.isCancelled { return (.cancelled, false) }
    if policy == .validate, try !isUnchanged(computation) { return (.discarded, false) }
    let objects = computation.objects
    // Core Data raises an exception for a change of such an object, or drops the change since iOS 9.
    guard !objects.contains(where: isGone) else { return (.failed, false) }
    let result = computation.amounts.reduce(0, +)
    for object in objects { object[inputs.result] = .integer(result) }
    try computation.save { () throws(PersistenceError) in try stack.saveUnit(in: computation.context) }
    let isIncomplete = computation.hasMissedInput || objects.contains(where: isGone)
    return (isIncomplete ? .failed : .applied, true)
  }

  /// Returns true if a new fetch finds all inputs with the values that the computation has read.
  private func isUnchanged(_ computation: Computation) throws(PersistenceError) -> Bool {
    let context = computation.context
    let found = Array(try context.fetch(inputs.request(for: computation.number)))
    guard found.map(\.objectID) == computation.objectIDs, !computation.objects.contains(where: isGone) else {
      return false
    }
    do throws(PersistenceError) {
      for object in found { try context.refresh(object, mergeChanges: false) }
      for object in found { try object.fulfillFault() }
    } catch {
      guard error.code == .referentialIntegrity else { throw error }
      return false
    }
    return !found.contains(where: isGone) && found.map(amount) == computation.amounts
  }

  private func isGone(_ object: ManagedObject) -> Bool { object.managedObjectContext == nil || object.isDeleted }
}

// MARK: - The user

extension WorkInFlight {
  /// Deletes an input at once, or when the policy allows it. Runs on the main queue.
  private func wantDeletion(of computation: Computation, at intended: Instant) {
    let deletion: @Sendable () -> Void = { [self] in delete(computation, intended: intended) }
    let (waits, cancels) = state.withLock { state in
      let isLocked = state.locked.contains(computation.deletedID)
      guard state.isModal || isLocked else { return (false, false) }
      state.waiting.append(deletion)
      guard isLocked else { return (true, false) }
      state.lockedDeletionCount += 1
      return (true, state.lockedDeletionCount % Self.cancelledShare == 0)
    }
    if cancels { computation.cancel() }
    if !waits { deletion() }
  }

  /// The number of deletions that meet a lock of which the user cancels the computation for one.
  private static let cancelledShare = 2

  /// The number of attempts to save the deletion under the error policy.
  private static let attemptLimit = 5

  private func delete(_ computation: Computation, intended: Instant) {
    let shown = stack.uiContext(ofScreen: 0)
    do throws(PersistenceError) {
      try machine.recorder.during(.edit, of: 1, in: shown.name) { () throws(PersistenceError) in
        for attempt in 1...Self.attemptLimit {
          do throws(PersistenceError) {
            return try shown.event { () throws(PersistenceError) in try delete(computation.deletedID, beside: shown) }
          } catch {
            guard error.code == .managedObjectMerge, attempt < Self.attemptLimit else { throw error }
            try shown.event { () throws(PersistenceError) in
              shown.rollback()
              try shown.refresh(shown.object(with: computation.deletedID), mergeChanges: false)
            }
          }
        }
      }
      computation.deleted(after: machine.now - intended)
      completeIfDone(computation)
    } catch {
      fail(error)
    }
  }

  /// Deletes an object in the context in which the user edits, and saves as after an edit.
  private func delete(_ objectID: ObjectID, beside shown: ManagedObjectContext) throws(PersistenceError) {
    let context = stack.beginEdit(ofScreen: 0)
    guard context !== shown else {
      shown.delete(try shown.existingObject(with: objectID))
      return try shown.save()
    }
    try context.event { () throws(PersistenceError) in
      context.delete(try context.existingObject(with: objectID))
      try stack.saveEdit(in: context, ofScreen: 0)
    }
  }

  /// Unlocks the inputs and closes the dialog. The actions that waited follow in their order, each in a separate block.
  private func ended(_ computation: Computation) {
    let waiting = state.withLock { state in
      state.isModal = false
      state.locked = []
      defer { state.waiting = [] }
      return state.waiting
    }
    computation.close()
    for action in waiting { machine.mainQueue.async(action) }
    completeIfDone(computation)
  }

  /// Records a computation that has ended and whose input has been deleted, and schedules the next one.
  private func completeIfDone(_ computation: Computation) {
    guard let record = computation.record else { return }
    computation.stopObserving()
    let elapsed = max(0, (machine.now - windowStart).nanoseconds)
    let next = windowStart + Self.interval * (elapsed / Self.interval.nanoseconds + 1)
    state.withLock { state in
      state.records.append(record)
      state.isBusy = false
    }
    schedule(computation.number + 1, at: next)
  }
}
