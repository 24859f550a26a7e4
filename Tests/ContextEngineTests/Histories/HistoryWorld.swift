import ContextEngine
import Foundation
import SQLitePersistence
import TestSupport

/// An error that a history found.
struct HistoryFailure: Error {
  let sentence: String
}

/// A tree of contexts over a store, each with the contents that its user should see.
///
/// After a save all other contexts merge it before the next step, and after a change the contexts below refresh. So
/// each context's user sees the contents of the level above with the context's own changes on top, and the plain model
/// computes the same.
final class HistoryWorld {
  struct Place {
    let context: ManagedObjectContext
    let level: PlainLevel
  }

  let stack: Stack
  let storeLevel = PlainLevel(above: nil)
  /// The contexts, parents before their children.
  var places: [Place] = []
  /// The second store, which takes some of the memos, or nil if there is only one store.
  let second: (any PersistentStore)?
  let tracksHistory: Bool
  var lists: [List] = []
  var pins: [Pin] = []
  var mirror = Mirror()
  var lastNumber = 0
  private var madeCount = 0
  /// The parts of the current step that have been carried out, for the report of a failure.
  var underway: String?

  init(shape: UInt64) throws {
    let options = shape >> 32
    let tracksHistory = options % 3 == 0 && StoreKind.current == .sqlite
    stack = try Stack(poolSize: options % 5 == 0 ? 4 : 1, model: Chronicle.model) { $0.tracksHistory = tracksHistory }
    self.tracksHistory = tracksHistory
    second = options % 4 == 0 ? try Self.secondStore(of: stack, tracksHistory: tracksHistory) : nil
    if let second { stack.coordinator.addPersistentStore(second) }
    var shape = shape
    for _ in 0...(shape % 5) {
      shape /= 5
      addContext(below: Int(shape % 7))
    }
  }

  private static func secondStore(of stack: Stack, tracksHistory: Bool) throws -> any PersistentStore {
    guard stack.hasSQL else { return InMemoryStore(stack.machine, model: Chronicle.model) }
    var configuration = SQLiteStoreConfiguration(
      path: stack.folder.url.appendingPathComponent("second.sqlite").path, synchronous: .off)
    configuration.tracksHistory = tracksHistory
    return try SQLiteStore(stack.machine, model: Chronicle.model, configuration: configuration)
  }

  /// Adds a context below an existing one or on the coordinator.
  func addContext(below choice: Int) {
    madeCount += 1
    let parent = places.isEmpty || choice % 3 == 0 ? nil : places[choice % places.count]
    let name = "context \(madeCount)"
    let queue: ManagedObjectContext.ConcurrencyType = choice % 6 == 1 ? .mainQueue : .privateQueue
    if let parent {
      places.append(
        Place(
          context: ManagedObjectContext(queue, parent: parent.context, name: name),
          level: PlainLevel(above: parent.level)))
    } else {
      places.append(
        Place(
          context: ManagedObjectContext(queue, coordinator: stack.coordinator, name: name),
          level: PlainLevel(above: storeLevel)))
    }
    places[places.count - 1].context.automaticallyMergesChangesFromParent = choice % 4 == 0
    places[places.count - 1].context.retainsRegisteredObjects = choice % 5 == 0
    places[places.count - 1].context.propagatesDeletesAtEndOfEvent = choice % 8 == 3
    // A row that is read again equals the cached row, because all contexts merge all saves.
    if choice % 9 < 2 { places[places.count - 1].context.stalenessInterval = choice % 9 == 0 ? .zero : .seconds(3_600) }
    places[places.count - 1].context.firesUpdatedObjectsBeforeMerging = choice % 7 < 3
  }

  // MARK: Positions in the tree

  func isAncestor(_ place: Place, of other: Place) -> Bool {
    var above = other.context.parent
    while let context = above {
      if context === place.context { return true }
      above = context.parent
    }
    return false
  }

  func descendants(of place: Place) -> [Place] { places.filter { isAncestor(place, of: $0) } }

  /// Returns the contexts whose users may change the same objects independently: all except the place's context and
  /// those above it.
  private func others(_ place: Place) -> [Place] {
    places.filter { $0.context !== place.context && !isAncestor($0, of: place) }
  }

  /// Returns true if the other contexts have no unsaved changes of these objects.
  func areFree(_ numbers: some Sequence<Int>, for place: Place) -> Bool {
    let others = others(place)
    return numbers.allSatisfy { number in others.allSatisfy { $0.level.changes[number] == nil } }
  }

  /// Returns true if the other contexts have not deleted these objects.
  func areLeft(_ numbers: some Sequence<Int>, by place: Place) -> Bool {
    let others = others(place)
    return numbers.allSatisfy { number in others.allSatisfy { $0.level.changes[number] != .deleted } }
  }

  // MARK: Finding

  static func numberPath(_ entity: EntityDescription) -> PropertyPath { entity.path("number") }

  /// Returns the object with a number, which a fetch finds.
  func object(_ number: Int, in place: Place) throws -> ManagedObject {
    guard let entity = place.level.view[number]?.entity.root else {
      throw HistoryFailure(sentence: "the plain model has no object \(number)")
    }
    let request = FetchRequest(
      entity, predicate: .equal(Self.numberPath(entity), .integer(Int64(number))))
    let found = try place.context.fetch(request)
    guard found.count == 1 else {
      throw HistoryFailure(sentence: "\(place.context.name) finds \(found.count) of \(entity.name) \(number)")
    }
    return found[0]
  }

  static func number(of object: ManagedObject) -> Int {
    if case .integer(let number) = object[numberPath(object.entity)] { Int(number) } else { -1 }
  }

  // MARK: Keeping contexts up to date

  /// Merges a save into all contexts that do not receive it from the context that saved.
  func distribute(_ save: SaveNotification, from place: Place) throws {
    let below = descendants(of: place)
    let parent = places.first { $0.context === place.context.parent }
    let reached = parent.map(descendants) ?? places
    for receiver in reached where receiver.context !== place.context {
      if receiver.context.parent === place.context.parent, receiver.context.automaticallyMergesChangesFromParent,
        place.context.parent == nil
      {
        drain(receiver.context)
      } else if !below.contains(where: { $0.context === receiver.context }) {
        receiver.context.performAndWait { receiver.context.mergeChanges(fromContextDidSave: save) }
      }
    }
    for receiver in below { drain(receiver.context) }
    settle()
  }

  /// Refreshes the contexts below a context, so that they show its changes.
  func refreshBelow(_ place: Place) throws {
    for receiver in descendants(of: place) {
      try receiver.context.performAndWait {
        try receiver.context.refreshAllObjects()
        receiver.context.processPendingChanges()
      }
    }
    settle()
  }

  func settle() {
    for place in places { place.level.prune() }
  }

  // MARK: Comparing

  /// Compares the objects that a context's user sees with the expected ones.
  func compare(_ place: Place) throws {
    try place.context.performAndWait {
      try compare(Self.contents(of: place.context), with: Self.expected(place.level), in: place.context.name)
    }
  }

  /// Compares the plain model with the contents of the store, which a separate coordinator reads.
  func compareStore() throws {
    try compare(Place(context: reader(), level: storeLevel))
  }

  /// Returns a context on a new coordinator, which has no cached rows.
  func reader() -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(machine: stack.machine, store: stack.store)
    if let second { coordinator.addPersistentStore(second) }
    return ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "reader")
  }

  func checkInvariants() throws {
    do {
      try stack.coordinator.checkInvariants(over: places.map(\.context) + pins.map(\.context))
    } catch {
      throw HistoryFailure(sentence: error.description)
    }
  }

  private func compare(_ found: [Int: PlainObject], with expected: [Int: PlainObject], in name: String) throws {
    if found == expected { return }
    for number in Set(found.keys).union(expected.keys).sorted() where found[number] != expected[number] {
      guard let left = found[number], let right = expected[number] else {
        let known = found[number] ?? expected[number]
        throw HistoryFailure(
          sentence: "\(name): \(known?.entity.name ?? "") \(number) "
            + (found[number] == nil ? "is missing" : "should not be there"))
      }
      let property = right.data.keys.sorted().first { left.data[$0] != right.data[$0] } ?? "entity"
      throw HistoryFailure(
        sentence: "\(name): \(property) of \(left.entity.name) \(number) is "
          + "\(String(describing: left.data[property])) and should be \(String(describing: right.data[property]))")
    }
  }

  /// Returns the objects that a context's user sees, by one fetch for each table and a read of every property.
  private static func contents(of context: ManagedObjectContext) throws -> [Int: PlainObject] {
    var contents: [Int: PlainObject] = [:]
    for root in Chronicle.roots {
      for object in try context.fetch(FetchRequest(root)) {
        let number = number(of: object)
        if contents[number] != nil {
          throw HistoryFailure(sentence: "\(context.name): finds \(root.name) \(number) twice")
        }
        contents[number] = plain(object)
      }
    }
    return contents
  }

  private static func plain(_ object: ManagedObject) -> PlainObject {
    var data: [String: Datum] = [:]
    for attribute in object.entity.attributes { data[attribute.name] = .value(object[attribute.name]) }
    for relationship in object.entity.relationships {
      let path = object.entity.path(relationship.name)
      if relationship.isToMany {
        let numbers = object.relatedObjects(path).map(living)
        data[relationship.name] = .many(relationship.isOrdered ? numbers : numbers.sorted())
      } else {
        data[relationship.name] = .one(object.related(path).map(living))
      }
    }
    return PlainObject(entity: object.entity, data: data)
  }

  /// Returns the number of an object, or −1 for an object that no longer exists.
  private static func living(_ object: ManagedObject) -> Int { object.isDeleted ? -1 : number(of: object) }

  /// Returns the expected contents of a level. Relationships that follow from keys are computed, and members of
  /// unordered ones are sorted.
  private static func expected(_ level: PlainLevel) -> [Int: PlainObject] {
    let view = level.view
    var expected = view
    for (number, object) in view {
      for relationship in PlainRelationship.all(of: object.entity) {
        guard !relationship.isHidden else {
          expected[number]?.data[relationship.name] = nil
          continue
        }
        guard relationship.kind != .one else {
          // The delete rule no action leaves keys that refer to a deleted object.
          if case .one(let target?) = object.data[relationship.name], view[target] == nil {
            expected[number]?.data[relationship.name] = .one(-1)
          }
          continue
        }
        var numbers = object.data[relationship.name]?.members ?? []
        if relationship.kind == .keys {
          numbers = view.filter { $0.value.data[relationship.inverse ?? ""] == .one(number) }.map(\.key)
        }
        expected[number]?.data[relationship.name] = .many(relationship.isOrdered ? numbers : numbers.sorted())
      }
    }
    return expected
  }
}
