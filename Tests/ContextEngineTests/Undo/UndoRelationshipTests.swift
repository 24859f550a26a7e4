import ContextEngine
import TestSupport
import Testing

/// Undo and redo of changes of relationships: pairs, orders, and deleted objects that return with their links.
@Suite(.onBothStores, .namingTheStore) struct UndoRelationshipTests {
  /// Calls `body` with an owner of ordered members and an owner without members. The leaf has the undo manager.
  private func withList(
    _ arrangement: Arrangement, _ owner: EntityDescription, _ member: EntityDescription, _ path: PropertyPath,
    _ body: (_ context: ManagedObjectContext, _ owners: [ManagedObject], _ members: [ManagedObject]) throws -> Void
  ) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try stack.seed { context in
      let first = context.insert(owner, named: "first")
      context.insert(owner, named: "second")
      for name in ["c", "a", "b"] { first.add(context.insert(member, named: name), to: path) }
    }
    let context = chain.leaf
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      try body(
        context, try ["first", "second"].map { try context.named($0, owner) },
        try ["a", "b", "c"].map { try context.named($0, member) })
    }
    try stack.coordinator.checkInvariants(over: chain.contexts)
    try chain.saveAll()
    try stack.inStore { try $0.expect("first", owner, leadsTo: ["c", "a", "b"], by: path) }
  }

  /// The two ordered relationships: one with a foreign key, and one with a join table.
  private static let lists = [
    (Notebook.note, Notebook.step, Notebook.steps), (Notebook.album, Notebook.picture, Notebook.pictures),
  ]

  @Test(arguments: Arrangement.all)
  func `undoing restores a member's place in an ordered relationship, even if unread`(arrangement: Arrangement) throws {
    for (owner, member, path) in Self.lists {
      let changes: [([ManagedObject], [ManagedObject]) -> Void] = [
        { owners, members in owners[0].remove(members[0], from: path) },
        { owners, members in owners[1].setRelatedObjects([members[1], members[2]], at: path) },
        { owners, members in members[0].managedObjectContext?.delete(members[0]) },
        { owners, members in owners[0].moveObjects(of: path, at: [2], to: 0) },
      ]
      for change in changes {
        try withList(arrangement, owner, member, path) { context, owners, members in
          change(owners, members)
          context.undo()
          #expect(owners[0].names(path) == ["c", "a", "b"])
          #expect(owners[1].names(path).isEmpty)
          context.redo()
          context.undo()
          #expect(owners[0].names(path) == ["c", "a", "b"])
        }
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `added and removed pairs are undone and redone at both ends`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try stack.seed { context in
      let first = context.insert(Notebook.note, named: "first")
      for name in ["red", "green"] { first.add(context.insert(Notebook.tag, named: name), to: Notebook.tags) }
      context.insert(Notebook.tag, named: "blue")
    }
    let context = chain.leaf
    try context.performAndWait {
      let manager = ContextUndoManager()
      context.undoManager = manager
      let first = try context.named("first", Notebook.note)
      let (red, blue) = (try context.named("red", Notebook.tag), try context.named("blue", Notebook.tag))
      // Adding a pair that exists is not a change, even though the relationship has not been read.
      first.add(red, to: Notebook.tags)
      context.processPendingChanges()
      #expect(!manager.canUndo)

      first.add(blue, to: Notebook.tags)
      red.remove(first, from: Notebook.notes)
      context.undo()
      #expect(Set(first.names(Notebook.tags)) == ["red", "green"])
      #expect(red.names(Notebook.notes) == ["first"] && blue.names(Notebook.notes).isEmpty)
      context.redo()
      #expect(Set(first.names(Notebook.tags)) == ["green", "blue"])
      #expect(red.names(Notebook.notes).isEmpty && blue.names(Notebook.notes) == ["first"])
      manager.endEvent()

      context.delete(first)
      context.undo()
      #expect(Set(first.names(Notebook.tags)) == ["green", "blue"])
      #expect(blue.names(Notebook.notes) == ["first"])
    }
    try stack.coordinator.checkInvariants(over: chain.contexts)
    try chain.saveAll()
    try stack.inStore { try $0.expect("first", Notebook.note, leadsTo: ["green", "blue"], by: Notebook.tags) }
  }

  @Test(arguments: Arrangement.all)
  func `undoing an owner's deletion restores a new member with a permanent ID`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try stack.seed { $0.insert(Notebook.note, named: "first") }
    let context = chain.leaf
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      let first = try context.named("first", Notebook.note)
      let step = context.insert(Notebook.step, named: "step")
      first.add(step, to: Notebook.steps)
      try context.obtainPermanentIDs(for: [step])
      context.processPendingChanges()
      context.undoManager?.endEvent()
      context.delete(first)
      context.undo()
      #expect(first.relatedObjects(Notebook.steps) == [step])
    }
    try chain.saveAll()
    try stack.inStore { try $0.expect("first", Notebook.note, leadsTo: ["step"], by: Notebook.steps) }
  }

  @Test(arguments: [false, true])
  func `undoing a new object's deletion restores references that no delete rule cleared`(hasPermanentID: Bool) throws {
    let stack = try Stack(model: Office.model)
    let context = stack.context()
    try context.performAndWait {
      context.retainsRegisteredObjects = true
      context.undoManager = ContextUndoManager()
      let sales = context.insert(Office.department)
      let room = context.insert(Office.room)
      room.relate(sales, at: Office.departmentOfRoom)
      if hasPermanentID { try context.obtainPermanentIDs(for: [sales]) }
      context.processPendingChanges()
      context.undoManager?.endEvent()
      let objectID = sales.objectID
      context.delete(sales)
      // The relationship leads to an object without values, and not to the deleted one.
      #expect(room.related(Office.departmentOfRoom)?.isDeleted != true)
      #expect(room.related(Office.departmentOfRoom)?["name"] == .null)
      context.undo()
      #expect(room.related(Office.departmentOfRoom) === sales && sales.objectID == objectID && sales.isInserted)
      #expect(context.registeredObjects.count == 2)
    }
    try stack.coordinator.checkInvariants(over: [context])
  }

  @Test func `an object whose deletion is undone keeps the ID that children have`() throws {
    let stack = try Stack(model: Notebook.model)
    let chain = stack.chain(1)
    let manager = ContextUndoManager()
    chain.root.performAndWait { chain.root.undoManager = manager }
    try chain.leaf.performAndWait {
      chain.leaf.insert(Notebook.note, named: "first")
      try chain.leaf.save()
    }
    try chain.root.performAndWait {
      manager.endEvent()
      chain.root.delete(try chain.root.named("first", Notebook.note))
      chain.root.undo()
    }
    try chain.leaf.performAndWait {
      let first = try chain.leaf.named("first", Notebook.note)
      try chain.root.performAndWait { try chain.root.save() }
      #expect(try chain.leaf.named("first", Notebook.note) === first)
    }
    try stack.coordinator.checkInvariants(over: chain.contexts)
  }
}
