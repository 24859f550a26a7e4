import MachineCore
import Synchronization

/// The stores of a coordinator: usually one, which serves every request itself, or several in a `StoreGroup`.
///
/// Thread-safe. Stores keep their numbers while they are attached, and no number is used for two stores.
final class AttachedStores: Sendable {
  private struct State: Sendable {
    var members: [StoreGroup.Member] = []
    var nextNumber = 0
    /// The store that serves requests.
    var current: any PersistentStore
    /// The numbers of the stores that new objects were assigned to, by their temporary IDs, which contexts of all
    /// levels share.
    var assignments: [ObjectID: Int] = [:]
  }

  private let state: Guarded<State>
  /// Indicates whether requests are served by a group. It is atomic, so that a coordinator with one store pays only
  /// for one load.
  private let isGroup: Atomic<Bool>

  /// Creates a list of one store, which takes objects of every entity, or of the configuration that it was made for.
  init(_ store: any PersistentStore) {
    let member = StoreGroup.Member(number: 0, store: store, configuration: store.modelConfiguration)
    let current = Self.server(of: [member], store.model)
    isGroup = Atomic(current is StoreGroup)
    state = Guarded(State(members: [member], nextNumber: 1, current: current))
  }

  /// Creates an empty list.
  init(none model: ManagedObjectModel) {
    state = Guarded(State(current: StoreGroup([], model: model)))
    isGroup = Atomic(true)
  }

  /// Creates a list of stores that have numbers already.
  init(_ members: [StoreGroup.Member], model: ManagedObjectModel) {
    let state = State(members: members, nextNumber: 0, current: Self.server(of: members, model))
    isGroup = Atomic(state.current is StoreGroup)
    self.state = Guarded(state)
  }

  /// The store that serves requests: the only store, or a group.
  var current: any PersistentStore { state.withLock { $0.current } }

  var members: [StoreGroup.Member] { state.withLock { $0.members } }

  /// True if a `StoreGroup` serves requests, in which case each new object must be assigned to a store.
  var areSeveral: Bool { isGroup.load(ordering: .acquiring) }

  // MARK: Coming and going

  func add(_ store: any PersistentStore, configuration: String?, model: ManagedObjectModel) {
    state.withLock { state in
      state.members.append(.init(number: state.nextNumber, store: store, configuration: configuration))
      state.nextNumber += 1
      regroup(&state, model: model)
    }
  }

  /// Removes a store.
  ///
  /// - Returns: False if the store is not attached.
  func remove(_ store: any PersistentStore, model: ManagedObjectModel) -> Bool {
    state.withLock { state in
      guard let index = state.members.firstIndex(where: { $0.store === store }) else { return false }
      let number = state.members.remove(at: index).number
      state.assignments = state.assignments.filter { $0.value != number }
      regroup(&state, model: model)
      return true
    }
  }

  private func regroup(_ state: inout State, model: ManagedObjectModel) {
    state.current = Self.server(of: state.members, model)
    isGroup.store(state.current is StoreGroup, ordering: .releasing)
  }

  private static func server(of members: [StoreGroup.Member], _ model: ManagedObjectModel) -> any PersistentStore {
    if members.count == 1, members[0].number == 0, members[0].configuration == nil { return members[0].store }
    return StoreGroup(members, model: model)
  }

  // MARK: New objects

  func assign(_ temporaryID: ObjectID, to number: Int) {
    state.withLock { $0.assignments[temporaryID] = number }
  }

  /// Removes the store assignments of new objects, which have been saved to their stores. O(objects).
  func forgetAssignments(of temporaryIDs: some Sequence<ObjectID>) {
    state.withLock { state in
      if state.assignments.isEmpty { return }
      for objectID in temporaryIDs { state.assignments[objectID] = nil }
    }
  }

  /// Returns the number of the store that each new object is saved to: the store that it was assigned to, or the first
  /// one that takes its entity. O(objects · stores).
  ///
  /// - Throws: `.storeAssignment` with the objects of entities that no store takes.
  func numbers(forNew objectIDs: [ObjectID], _ model: ManagedObjectModel) throws(PersistenceError) -> [Int] {
    let (members, assignments) = state.withLock { ($0.members, $0.assignments) }
    var numbers: [Int] = []
    var homeless: [ObjectID] = []
    for objectID in objectIDs {
      if let number = assignments[objectID] ?? members.first(where: { $0.holds(objectID.entityIndex) })?.number {
        numbers.append(number)
      } else {
        homeless.append(objectID)
      }
    }
    guard let first = homeless.first else { return numbers }
    throw PersistenceError(
      .storeAssignment,
      "no store of the coordinator accepts objects of entity \(model.entities[first.entityIndex].name); "
        + "add one whose configuration has it",
      objectIDs: homeless)
  }
}
