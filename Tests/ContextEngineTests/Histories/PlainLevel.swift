import ContextEngine
import TestSupport

/// The value of a property of a plain object. Related objects are represented by their numbers.
enum Datum: Equatable {
  case value(Value)
  case one(Int?)
  /// The members of a to-many relationship, in order if the relationship is ordered.
  case many([Int])

  var members: [Int] {
    switch self {
    case .value: []
    case .one(let number): number.map { [$0] } ?? []
    case .many(let numbers): numbers
    }
  }
}

/// An object of the plain model. To-many relationships that follow from the keys at their other ends are not stored.
struct PlainObject: Equatable {
  var entity: EntityDescription
  var data: [String: Datum]

  static func == (left: PlainObject, right: PlainObject) -> Bool {
    left.entity === right.entity && left.data == right.data
  }
}

/// A change that a context has made to an object.
enum PlainChange: Equatable {
  case inserted(PlainObject)
  case updated([String: Datum])
  case deleted
}

/// The contents of a store, or the changes of a context. The user of a context sees the contents of the level above
/// with these changes on top.
final class PlainLevel {
  let above: PlainLevel?
  /// The objects of a store.
  var objects: [Int: PlainObject] = [:] { didSet { saved.formUnion(objects.keys) } }
  /// The numbers of all objects that the store has ever had.
  private(set) var saved: Set<Int> = []
  /// The unsaved changes of a context.
  var changes: [Int: PlainChange] = [:]

  init(above: PlainLevel?) {
    self.above = above
  }

  var view: [Int: PlainObject] {
    guard let above else { return objects }
    var view = above.view
    for (number, change) in changes {
      switch change {
      case .inserted(let object): view[number] = object
      case .updated(let data): view[number]?.data.merge(data) { $1 }
      case .deleted: view[number] = nil
      }
    }
    return view
  }

  // MARK: Changing

  func insert(_ number: Int, _ object: PlainObject) {
    changes[number] = .inserted(object)
  }

  /// Marks an object as changed. Another call has no effect.
  func touch(_ number: Int) {
    if changes[number] == nil { changes[number] = .updated([:]) }
  }

  func set(_ number: Int, _ property: String, _ datum: Datum) {
    switch changes[number] {
    case .inserted(var object):
      object.data[property] = datum
      changes[number] = .inserted(object)
    case .updated(var data):
      data[property] = datum
      changes[number] = .updated(data)
    case .deleted: break
    case nil: changes[number] = .updated([property: datum])
    }
  }

  func remove(_ number: Int) {
    if case .inserted = changes[number] { changes[number] = nil } else { changes[number] = .deleted }
  }

  // MARK: Saving

  /// Gives the new objects permanent IDs, so that references to them remain after they are deleted.
  func obtainIDs() {
    var store = self
    while let above = store.above { store = above }
    for case (let number, .inserted) in changes { store.saved.insert(number) }
  }

  /// Applies a change that a level below has saved.
  func receive(_ number: Int, _ change: PlainChange) {
    guard above != nil else {
      switch change {
      case .inserted(let object): objects[number] = object
      case .updated(let data): objects[number]?.data.merge(data) { $1 }
      case .deleted: objects[number] = nil
      }
      return
    }
    switch change {
    case .inserted: changes[number] = change
    case .updated(let data):
      touch(number)
      for (property, datum) in data { set(number, property, datum) }
    case .deleted: remove(number)
    }
  }

  /// Moves the changes to the level above, and returns true if a save into the store has changed values.
  @discardableResult func save() -> Bool {
    let before = changes
    if let above, above.above == nil {
      for (number, change) in changes { if case .inserted = change { above.saved.insert(number) } }
      for number in changes.keys { forgetUnsaved(above.saved, in: number) }
    }
    let hasChanged = changes != before
    for (number, change) in changes { above?.receive(number, change) }
    changes = [:]
    return hasChanged
  }

  /// Clears to-one relationships to objects that were deleted before they were saved into the store.
  private func forgetUnsaved(_ saved: Set<Int>, in number: Int) {
    func known(_ data: [String: Datum]) -> [String: Datum] {
      data.mapValues { if case .one(let target?) = $0, !saved.contains(target) { .one(nil) } else { $0 } }
    }
    switch changes[number] {
    case .inserted(var object):
      object.data = known(object.data)
      changes[number] = .inserted(object)
    case .updated(let data): changes[number] = .updated(known(data))
    case .deleted, nil: break
    }
  }

  /// Carries out the callbacks of a save, and returns true if they changed a value.
  func tidy() -> Bool {
    let view = view
    var isTidied = false
    for number in changes.keys {
      guard let object = view[number], object.entity.name == "Clerk", case .value(let text)? = object.data["text"],
        text != Chronicle.tidied(text)
      else { continue }
      set(number, "text", .value(Chronicle.tidied(text)))
      isTidied = true
    }
    return isTidied
  }

  /// Returns true if two objects in one store would have the same code.
  func collides(inTwoStores: Bool) -> Bool {
    var taken: Set<[Int64]> = []
    for (number, object) in view {
      guard case .value(.integer(let code))? = object.data["code"] else { continue }
      let store = inTwoStores && object.entity.name == "Memo" ? number % 2 : 0
      if !taken.insert([Int64(object.entity.index), Int64(store), code]).inserted { return true }
    }
    return false
  }

  /// Removes the changes of objects that no longer exist.
  func prune() {
    guard let above else { return }
    let base = above.view
    changes = changes.filter { number, change in
      if case .inserted = change { true } else { base[number] != nil }
    }
  }

  /// Restores earlier changes. The properties that have been set since then count as set, to their earlier values.
  func undo(to before: [Int: PlainChange]) {
    let after = changes
    changes = before
    let view = view
    for (number, change) in after {
      guard case .updated(let data) = change, let object = view[number] else { continue }
      touch(number)
      for property in data.keys {
        if let datum = object.data[property] { set(number, property, datum) }
      }
    }
  }
}
