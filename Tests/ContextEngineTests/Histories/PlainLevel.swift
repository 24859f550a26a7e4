import ContextEngine
import TestSupport

/// What a property of a plain object holds; other objects by their numbers.
enum Datum: Equatable {
  case value(Value)
  case one(Int?)
  /// In order where the relationship has one.
  case many([Int])

  var members: [Int] {
    switch self {
    case .value: []
    case .one(let number): number.map { [$0] } ?? []
    case .many(let numbers): numbers
    }
  }
}

/// An object of the plain model. What its to-many relationships hold that follow the keys at their other ends is not
/// kept.
struct PlainObject: Equatable {
  var entity: EntityDescription
  var data: [String: Datum]

  static func == (left: PlainObject, right: PlainObject) -> Bool {
    left.entity === right.entity && left.data == right.data
  }
}

/// What a context has changed in an object.
enum PlainChange: Equatable {
  case inserted(PlainObject)
  case updated([String: Datum])
  case deleted
}

/// What a store holds, or what a context has changed on top of what is above it: its user sees the one over the other.
final class PlainLevel {
  let above: PlainLevel?
  /// Of a store.
  var objects: [Int: PlainObject] = [:] { didSet { saved.formUnion(objects.keys) } }
  /// The numbers of all objects that the store has ever had.
  private(set) var saved: Set<Int> = []
  /// Of a context.
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

  /// Notes that an object counts as changed; the same again is nothing new.
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

  /// Takes over what a level below changed.
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

  func save() {
    if let above, above.above == nil {
      for (number, change) in changes { if case .inserted = change { above.saved.insert(number) } }
      for number in changes.keys { forgetUnsaved(above.saved, in: number) }
    }
    for (number, change) in changes { above?.receive(number, change) }
    changes = [:]
  }

  /// Sets to-one relationships to nothing that lead to an object which was deleted before it was ever in the store.
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

  /// Does what the callbacks of a save do; returns whether that changed anything.
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

  /// Whether two objects that would be in one store have the same code.
  func collides(inTwoStores: Bool) -> Bool {
    var taken: Set<[Int64]> = []
    for (number, object) in view {
      guard case .value(.integer(let code))? = object.data["code"] else { continue }
      let store = inTwoStores && object.entity.name == "Memo" ? number % 2 : 0
      if !taken.insert([Int64(object.entity.index), Int64(store), code]).inserted { return true }
    }
    return false
  }

  /// Forgets changes of objects that are no longer there to be changed.
  func prune() {
    guard let above else { return }
    let base = above.view
    changes = changes.filter { number, change in
      if case .inserted = change { true } else { base[number] != nil }
    }
  }

  /// Takes back what was changed since the changes were these: values that were set stay set, to what they were.
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
