import ContextEngine
import TestSupport
import Testing

/// Tests of the callbacks in the life of an object and of their order. They restate the scenarios of FreeCoreData's
/// suite on life cycles and Apple's documentation of the methods of `NSManagedObject`.
@Suite struct LifeCycleTests {
  @Test(arguments: [0, 1, 2])
  func `awakeFromInsert is called once at each level that an object is pushed into`(depth: Int) throws {
    let diary = Diary(writing: [.awakeFromInsert])
    let stack = try Stack(model: diary.model)
    let chain = stack.chain(depth)
    let names = chain.contexts.map(\.name)
    chain.leaf.performAndWait { _ = chain.leaf.insert(diary.entity) }
    for (name, context) in zip(names, chain.contexts).reversed() {
      #expect(diary.read() == ["awakeFromInsert in \(name)"])
      try context.performAndWait { try context.save() }
    }
    #expect(diary.read().isEmpty)
  }

  @Test(arguments: [0, 1, 2])
  func `a child's values override those that awakeFromInsert sets in the parent`(depth: Int) throws {
    let diary = Diary(writing: []) { callbacks in
      callbacks.awakeFromInsert = { object in
        object["text"] = .string("awake")
        if object.managedObjectContext?.parent == nil { object["length"] = 5 }
      }
    }
    let stack = try Stack(model: diary.model)
    let chain = stack.chain(depth)
    chain.leaf.performAndWait {
      let entry = chain.leaf.insert(diary.entity)
      #expect(entry["text"] == "awake" && entry.isInserted)
      entry["text"] = "written"
      entry["length"] = 7
    }
    try chain.saveAll()
    let stored = try stack.inStore { context in
      let entry = try #require(try context.only(diary.entity))
      return [entry["text"], entry["length"]]
    }
    #expect(stored == ["written", 7])
  }

  @Test func `a push replaces relationships that awakeFromInsert sets in the parent`() throws {
    let diary = Diary(writing: []) { callbacks in
      callbacks.awakeFromInsert = { object in
        guard let context = object.managedObjectContext, context.name == "root" else { return }
        let other = context.insertedObjects.first { $0 !== object }
        object.relate(other, at: object.entity.path("previous"))
      }
    }
    let stack = try Stack(model: diary.model)
    let chain = stack.chain(1)
    try chain.leaf.performAndWait {
      for text in ["first", "second"] { chain.leaf.insert(diary.entity)["text"] = .string(text) }
      try chain.leaf.save()
    }
    chain.root.performAndWait {
      #expect(chain.root.insertedObjects.count == 2)
      for entry in chain.root.insertedObjects {
        #expect(entry["previous"] == .null && entry["next"] == .null)
      }
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a fired fault calls awakeFromFetch, whose changes keep hasChanges false`(depth: Int) throws {
    let diary = Diary(writing: [.awakeFromFetch]) { callbacks in
      let write = callbacks.awakeFromFetch
      callbacks.awakeFromFetch = { object in
        write?(object)
        if case .string(let text) = object["text"] { object["length"] = .integer(Int64(text.count)) }
      }
    }
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let entry = try #require(try context.only(diary.entity))
      // A fetch alone fires no faults, even if the levels above have fired theirs.
      #expect(entry.isFault)
      diary.journal.clear()
      #expect(entry["length"] == 6)
      #expect(diary.read().last == "awakeFromFetch in \(context.name)")
      #expect(!entry.hasChanges && !context.hasChanges)
      _ = entry["text"]
      #expect(diary.read().isEmpty)
      context.processPendingChanges()
      try stack.expectStatements(0) { try context.save() }
      // The value is written along with a change that the context reports.
      entry["text"] = "changed"
      #expect(entry.isUpdated && entry["length"] == 6)
    }
  }

  @Test func `objects realised by a fetch call awakeFromFetch`() throws {
    let diary = Diary(writing: [.awakeFromFetch])
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    for chain in [stack.chain(0), stack.chain(1)] {
      let context = chain.leaf
      try context.performAndWait {
        var request = FetchRequest(diary.entity)
        request.returnsObjectsAsFaults = false
        _ = try context.fetch(request)
        #expect(diary.read().last == "awakeFromFetch in \(context.name)")
      }
    }
  }

  @Test(arguments: [0, 1])
  func `a refresh and a rollback call awakeFromSnapshotEvents`(depth: Int) throws {
    let diary = Diary(writing: [.awakeFromSnapshotEvents])
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let entry = try #require(try context.only(diary.entity))
      entry["text"] = "changed"
      try context.refresh(entry, mergeChanges: true)
      #expect(diary.read() == ["awake from refresh in \(context.name)"])
      #expect(entry["text"] == "changed" && entry.isUpdated)
      context.rollback()
      #expect(diary.read() == ["awake from rollback in \(context.name)"])
      #expect(entry["text"] == "seeded")
    }
  }

  @Test func `a merge policy that discards changes calls awakeFromSnapshotEvents`() throws {
    let diary = Diary(writing: [.awakeFromSnapshotEvents])
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    let context = stack.context()
    context.mergePolicy = .storeTrump
    try context.performAndWait {
      let entry = try #require(try context.only(diary.entity))
      entry["text"] = "mine"
      try stack.inStore { other in
        try #require(try other.only(diary.entity))["text"] = "theirs"
        try other.save()
      }
      try context.save()
      #expect(entry["text"] == "theirs")
      #expect(diary.read() == ["awake from mergePolicy in context"])
    }
  }

  @Test(arguments: [0, 1])
  func `prepareForDeletion is called before isDeleted is true, at each level`(depth: Int) throws {
    let seen = Journal<Bool>()
    let diary = Diary(writing: [.prepareForDeletion]) { callbacks in
      let write = callbacks.prepareForDeletion
      callbacks.prepareForDeletion = { object in
        write?(object)
        seen.write(object.isDeleted)
      }
    }
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    let chain = stack.chain(depth)
    try chain.leaf.performAndWait {
      let entry = try #require(try chain.leaf.only(diary.entity))
      chain.leaf.delete(entry)
    }
    try chain.saveAll()
    #expect(diary.read() == chain.contexts.reversed().map { "prepareForDeletion in \($0.name)" })
    #expect(seen.entries.allSatisfy { !$0 })
  }

  @Test func `a refresh that drops changes calls willTurnIntoFault and didTurnIntoFault`() throws {
    let faults = Journal<Bool>()
    let diary = Diary(writing: [.turningIntoFault]) { callbacks in
      let (will, did) = (callbacks.willTurnIntoFault, callbacks.didTurnIntoFault)
      callbacks.willTurnIntoFault = {
        will?($0); faults.write($0.isFault)
      }
      callbacks.didTurnIntoFault = {
        did?($0); faults.write($0.isFault)
      }
    }
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    let context = stack.context()
    try context.performAndWait {
      let entry = try #require(try context.only(diary.entity))
      try context.refresh(entry, mergeChanges: false)
      #expect(diary.read().isEmpty)
      entry["text"] = "changed"
      try context.refresh(entry, mergeChanges: false)
      #expect(diary.read() == ["willTurnIntoFault in context", "didTurnIntoFault in context"])
      #expect(faults.entries == [false, true] && entry.isFault)
    }
  }

  @Test func `an inherited callback is called before the entity's own`() throws {
    let journal = Journal<String>()
    var first = EntityCallbacks()
    first.awakeFromInsert = { _ in journal.write("base") }
    var second = EntityCallbacks()
    second.awakeFromInsert = { _ in journal.write("derived") }
    let model = ManagedObjectModel([
      .init("Base", attributes: [.init("text", .string)], callbacks: first),
      .init("Derived", attributes: [.init("more", .string)], superentity: "Base", callbacks: second),
    ])
    let context = try Stack(model: model).context()
    context.performAndWait {
      _ = context.insert(model.entity("Derived"))
      #expect(journal.entries == ["base", "derived"])
      _ = context.insert(model.entity("Base"))
      #expect(journal.entries == ["base", "derived", "base"])
    }
  }
}
