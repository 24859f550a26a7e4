import ContextEngine
import TestSupport
import Testing

/// `willSave`, `didSave` and the validation that entities add to a save.
@Suite struct SaveCallbackTests {
  @Test(arguments: [0, 1, 2])
  func `a save calls willSave and didSave of inserted, updated and deleted objects`(depth: Int) throws {
    let diary = Diary(writing: [.willSave, .didSave])
    let stack = try Stack(model: diary.model)
    try stack.seed { context in
      for text in ["a", "b"] { context.insert(diary.entity)["text"] = .string(text) }
    }
    diary.journal.clear()
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let entries = try context.fetch(FetchRequest(diary.entity))
      entries[0]["text"] = "changed"
      context.delete(entries[1])
      _ = context.insert(diary.entity)
      let observer = context.observeDidSave { _ in diary.journal.write("did-save") }
      let other = context.observeWillSave { _ in diary.journal.write("will-save") }
      try context.save()
      observer.cancel()
      other.cancel()
      let name = context.name
      // The deleted object has no context any more when its `didSave` is called.
      #expect(
        diary.read() == Array(repeating: "willSave in \(name)", count: 3) + [
          "will-save", "didSave in \(name)", "didSave in \(name)", "didSave in nowhere", "did-save",
        ])
    }
  }

  @Test(arguments: [0, 1])
  func `changes in willSave are saved, and willSave repeats until nothing changes`(depth: Int) throws {
    let diary = Diary(writing: [.willSave]) { callbacks in
      let write = callbacks.willSave
      callbacks.willSave = { object in
        write?(object)
        guard case .string(let text) = object["text"] else { return }
        object["length"] = .integer(Int64(text.count))
      }
    }
    let stack = try Stack(model: diary.model)
    let chain = stack.chain(depth)
    try chain.leaf.performAndWait {
      let entry = chain.leaf.insert(diary.entity)
      entry["text"] = "abc"
      try chain.leaf.save()
      #expect(entry["length"] == 3 && !chain.leaf.hasChanges)
      // The first call is for the insertion, and the second for the value that the first one set.
      #expect(diary.read().count == 2)
    }
    try chain.saveAll()
    let stored = try stack.inStore { try #require(try $0.only(diary.entity))["length"] }
    #expect(stored == 3)
  }

  @Test func `willSave can insert objects, whose willSave is called too`() throws {
    let diary = Diary(writing: [.willSave]) { callbacks in
      let write = callbacks.willSave
      callbacks.willSave = { object in
        write?(object)
        guard object["text"] == "first", let context = object.managedObjectContext else { return }
        if context.insertedObjects.count == 1 { context.insert(object.entity)["text"] = "second" }
      }
    }
    let stack = try Stack(model: diary.model)
    let context = stack.context()
    try context.performAndWait {
      context.insert(diary.entity)["text"] = "first"
      try context.save()
    }
    #expect(diary.read().count == 2)
    let count = try stack.inStore { try $0.fetch(FetchRequest(diary.entity)).count }
    #expect(count == 2)
  }

  /// Core Data stops after the same number of attempts.
  @Test func `a save throws if willSave still changes objects after 1,000 rounds`() throws {
    let diary = Diary(writing: [.willSave]) { callbacks in
      let write = callbacks.willSave
      callbacks.willSave = { object in
        write?(object)
        guard case .integer(let length) = object["length"] else { return object["length"] = 0 }
        object["length"] = .integer(length + 1)
      }
    }
    let stack = try Stack(model: diary.model)
    let context = stack.context()
    context.performAndWait {
      let entry = context.insert(diary.entity)
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .contextStillDirty && error?.objectIDs == [entry.objectID])
      #expect(diary.read().count == 1_000)
      #expect(entry.isInserted && entry["length"] == 999)
    }
    #expect(stack.statements.entries.allSatisfy { !$0.hasPrefix("INSERT INTO ZENTRY") })
  }

  @Test func `saving in willSave throws, and saving in didSave succeeds`() throws {
    let errors = Journal<PersistenceError.Code>()
    let diary = Diary(writing: []) { callbacks in
      callbacks.willSave = { object in
        do throws(PersistenceError) {
          try object.managedObjectContext?.save()
        } catch {
          errors.write(error.code)
        }
      }
      callbacks.didSave = { object in
        if object["length"] == .null {
          object["length"] = 1
          try? object.managedObjectContext?.save()
        }
      }
    }
    let stack = try Stack(model: diary.model)
    let context = stack.context()
    try context.performAndWait {
      _ = context.insert(diary.entity)
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(
      errors.entries == [.recursiveSave, .recursiveSave] && PersistenceError.Code.recursiveSave.rawValue == 132001)
    let stored = try stack.inStore { try #require(try $0.only(diary.entity))["length"] }
    #expect(stored == 1)
  }

  @Test(arguments: [0, 1])
  func `a save reports an entity's own validation errors with the model's`(depth: Int) throws {
    var callbacks = EntityCallbacks()
    let refuse = { @Sendable (when: String) -> EntityCallbacks.Check in
      { object throws(PersistenceError) in
        if object["text"] == "bad" {
          throw PersistenceError(.managedObjectValidation, "is refused at \(when)", objectIDs: [object.objectID])
        }
      }
    }
    callbacks.validateForInsert = refuse("insert")
    callbacks.validateForUpdate = refuse("update")
    callbacks.validateForDelete = refuse("delete")
    let model = Diary.model(callbacks)
    let entity = model.entity("Entry")
    let stack = try Stack(model: model)
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let entry = context.insert(entity)
      entry["text"] = "bad"
      for when in ["insert", "update", "delete"] {
        let error = #expect(throws: PersistenceError.self) { try context.save() }
        #expect(error?.code.rawValue == 1550 && error?.failures.map(\.reason) == ["is refused at \(when)"])
        #expect(error?.failures.first?.propertyName == nil && error?.objectIDs == [entry.objectID])
        guard when != "delete" else { break }
        entry["text"] = "good"
        try context.save()
        entry["text"] = "bad"
        if when == "update" { context.delete(entry) }
      }
    }
  }

  @Test func `validateValue can replace a value`() throws {
    var callbacks = EntityCallbacks()
    callbacks.validateValue = { object, path, value throws(PersistenceError) in
      guard path == object.entity.path("text"), case .string(let text) = value else { return }
      if text.isEmpty { throw PersistenceError(.managedObjectValidation, "must not be empty") }
      value = .string(text.uppercased())
    }
    let model = Diary.model(callbacks)
    let entity = model.entity("Entry")
    let stack = try Stack(model: model)
    let context = stack.context()
    try context.performAndWait {
      let entry = context.insert(entity)
      entry["text"] = "abc"
      try context.save()
      #expect(entry["text"] == "ABC" && !context.hasChanges)
      entry["text"] = ""
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.failures.map(\.propertyName) == ["text"])
      var value = Value.string("def")
      try entry.validateValue(&value, at: entity.path("text"))
      #expect(value == "DEF" && entry["text"] == "")
    }
    let stored = try stack.inStore { try #require(try $0.only(entity))["text"] }
    #expect(stored == "ABC")
  }

  /// An error in an app's own domain.
  private struct Refusal: Error, Equatable {
    var text: String
  }

  @Test(arguments: [0, 1])
  func `a save's error contains an app's own validation errors`(depth: Int) throws {
    var callbacks = EntityCallbacks()
    callbacks.validateForInsert = { if $0["text"] == "bad" { throw Refusal(text: "object") } }
    callbacks.validateForUpdate = { _ in throw Refusal(text: "update") }
    callbacks.validateForDelete = { _ in throw Refusal(text: "deletion") }
    callbacks.validateValue = { _, _, value in if value == "worse" { throw Refusal(text: "value") } }
    let model = Diary.model(callbacks)
    let stack = try Stack(model: model)
    let context = stack.chain(depth).leaf
    func refusals(_ body: () throws -> Void) -> [Refusal?]? {
      let error = #expect(throws: PersistenceError.self, performing: body)
      #expect(error?.failures.allSatisfy { $0.code == .managedObjectValidation && $0.entityName == "Entry" } == true)
      return error?.underlyingErrors.map { $0 as? Refusal }
    }
    try context.performAndWait {
      let entry = context.insert(model.entity("Entry"))
      entry["text"] = "bad"
      #expect(refusals { try context.save() } == [Refusal(text: "object")])
      #expect(refusals { try entry.validateForInsert() } == [Refusal(text: "object")])
      entry["text"] = "worse"
      let other = context.insert(model.entity("Entry"))
      other["text"] = "bad"
      #expect(refusals { try context.save() } == [Refusal(text: "value"), Refusal(text: "object")])
      entry["text"] = "good"
      other["text"] = "good"
      try context.save()
      entry["text"] = "better"
      context.delete(other)
      #expect(refusals { try context.save() } == [Refusal(text: "update"), Refusal(text: "deletion")])
    }
  }

  @Test func `a save that fails its validation posts no notification and calls no willSave`() throws {
    let diary = Diary(writing: [.willSave, .didSave]) { callbacks in
      callbacks.validateForInsert = { _ throws(PersistenceError) in
        throw PersistenceError(.managedObjectValidation, "is refused")
      }
    }
    let stack = try Stack(model: diary.model)
    let context = stack.context()
    context.performAndWait {
      _ = context.insert(diary.entity)
      let observer = context.observeWillSave { _ in diary.journal.write("will-save") }
      #expect(throws: PersistenceError.self) { try context.save() }
      observer.cancel()
    }
    #expect(diary.read().isEmpty)
  }
}
