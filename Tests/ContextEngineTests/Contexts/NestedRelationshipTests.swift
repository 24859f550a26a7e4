import ContextEngine
import TestSupport
import Testing

/// To-many relationships in nested contexts.
///
/// These tests restate, in our own laws, what Apache Cayenne's suites of nested contexts describe: writing (a child's
/// commit to its parent, deletions, one-to-many and many-to-many, adding and removing repeatedly, relating across
/// contexts), reading (related objects by the parent's unsaved state), peer events (a sibling receives updated to-many
/// and many-to-many relationships) and rolling back.
@Suite(.onBothStores, .namingTheStore) struct NestedRelationshipTests {
  /// A saved note with the tag red and the steps one and two, a second note, and a tag blue.
  private func make(_ arrangement: Arrangement) throws -> (Stack, Chain) {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try stack.seed { context in
      let note = context.insert(Notebook.note, named: "note")
      note.add(context.insert(Notebook.tag, named: "red"), to: Notebook.tags)
      for name in ["one", "two"] { note.add(context.insert(Notebook.step, named: name), to: Notebook.steps) }
      context.insert(Notebook.note, named: "other")
      context.insert(Notebook.tag, named: "blue")
    }
    return (stack, chain)
  }

  private func parent(of chain: Chain) -> ManagedObjectContext { chain.contexts[chain.contexts.count - 2] }

  private func expect(
    _ context: ManagedObjectContext, tags: [String], steps: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try context.performAndWait {
      let note = try context.named("note", Notebook.note)
      #expect(note.names(Notebook.tags) == tags, sourceLocation: sourceLocation)
      #expect(note.names(Notebook.steps) == steps, sourceLocation: sourceLocation)
    }
  }

  /// Write: a child's changes reach the parent with its save and not earlier, and do not reach the store.
  @Test(arguments: Arrangement.nested)
  func `a save pushes members and their order to the parent only`(arrangement: Arrangement) throws {
    let (stack, chain) = try make(arrangement)
    let parent = parent(of: chain)
    let child = chain.leaf
    try child.performAndWait {
      let note = try child.named("note", Notebook.note)
      note.add(child.insert(Notebook.tag, named: "new"), to: Notebook.tags)
      note.remove(try child.named("red", Notebook.tag), from: Notebook.tags)
      note.insert(child.insert(Notebook.step, named: "zero"), into: Notebook.steps, at: 0)
    }
    try expect(parent, tags: ["red"], steps: ["one", "two"])
    try child.performAndWait { try child.save() }
    try expect(parent, tags: ["new"], steps: ["zero", "one", "two"])
    try expect(child, tags: ["new"], steps: ["zero", "one", "two"])
    try stack.inStore { try $0.expect("note", Notebook.note, leadsTo: ["red"], by: Notebook.tags) }
    try chain.saveAll()
    try stack.inStore { context in
      try context.expect("note", Notebook.note, leadsTo: ["new"], by: Notebook.tags)
      try context.expect("note", Notebook.note, leadsTo: ["zero", "one", "two"], by: Notebook.steps)
      try context.expect("red", Notebook.tag, leadsTo: [], by: Notebook.notes)
    }
  }

  /// Write: a member is added and removed in turn, with a save into the parent each time, and no pair remains.
  @Test(arguments: Arrangement.nested)
  func `adding and removing a member in successive saves leaves no pair`(arrangement: Arrangement) throws {
    let (stack, chain) = try make(arrangement)
    let child = chain.leaf
    for _ in 0..<3 {
      for isAdding in [true, false] {
        try child.performAndWait {
          let note = try child.named("note", Notebook.note)
          let blue = try child.named("blue", Notebook.tag)
          if isAdding { note.add(blue, to: Notebook.tags) } else { note.remove(blue, from: Notebook.tags) }
          try child.save()
        }
        try expect(parent(of: chain), tags: isAdding ? ["red", "blue"] : ["red"], steps: ["one", "two"])
      }
    }
    try chain.saveAll()
    try stack.inStore { try $0.expect("note", Notebook.note, leadsTo: ["red"], by: Notebook.tags) }
  }

  /// Write: a push keeps the parent's own unsaved members.
  @Test(arguments: Arrangement.nested)
  func `a push keeps the parent's own unsaved members`(arrangement: Arrangement) throws {
    let (stack, chain) = try make(arrangement)
    let parent = parent(of: chain)
    let child = chain.leaf
    try child.performAndWait { _ = try child.named("note", Notebook.note).names(Notebook.tags) }
    try parent.performAndWait {
      let note = try parent.named("note", Notebook.note)
      note.add(parent.insert(Notebook.tag, named: "parent's"), to: Notebook.tags)
      note.add(parent.insert(Notebook.step, named: "parent's step"), to: Notebook.steps)
    }
    try child.performAndWait {
      let note = try child.named("note", Notebook.note)
      note.add(try child.named("blue", Notebook.tag), to: Notebook.tags)
      try child.save()
    }
    try expect(parent, tags: ["red", "parent's", "blue"], steps: ["one", "two", "parent's step"])
    try chain.saveAll()
    let stored = try stack.inStore { try $0.named("note", Notebook.note).names(Notebook.tags) }
    #expect(Set(stored) == ["red", "blue", "parent's"])
  }

  /// Write: a child deletes related objects, including those that only the parent has.
  @Test(arguments: Arrangement.nested)
  func `a child deletes saved and unsaved members of its parent's relationship`(arrangement: Arrangement) throws {
    let (stack, chain) = try make(arrangement)
    let parent = parent(of: chain)
    let child = chain.leaf
    try parent.performAndWait {
      let note = try parent.named("note", Notebook.note)
      note.add(parent.insert(Notebook.tag, named: "unsaved"), to: Notebook.tags)
    }
    try child.performAndWait {
      child.delete(try child.named("unsaved", Notebook.tag))
      child.delete(try child.named("red", Notebook.tag))
      child.delete(try child.named("one", Notebook.step))
      try child.save()
    }
    try expect(parent, tags: [], steps: ["two"])
    try chain.saveAll()
    try stack.inStore { context in
      try context.expect("note", Notebook.note, leadsTo: [], by: Notebook.tags)
      #expect(try context.fetch(FetchRequest(Notebook.tag)).map(\.name) == ["blue"])
    }
  }

  /// Write: the child finds an object of the parent by its ID and relates it.
  @Test(arguments: Arrangement.nested)
  func `a child can relate its parent's new objects, and the parent its child's`(arrangement: Arrangement) throws {
    let (stack, chain) = try make(arrangement)
    let parent = parent(of: chain)
    let child = chain.leaf
    let (made, step) = parent.performAndWait {
      (parent.insert(Notebook.tag, named: "made").objectID, parent.insert(Notebook.step, named: "three").objectID)
    }
    try child.performAndWait {
      let note = try child.named("note", Notebook.note)
      note.add(child.object(with: made), to: Notebook.tags)
      note.insert(child.object(with: step), into: Notebook.steps, at: 1)
      try child.save()
    }
    try expect(parent, tags: ["red", "made"], steps: ["one", "three", "two"])
    try chain.saveAll()
    // The parent has the permanent ID now, and the child still has the temporary one.
    try parent.performAndWait {
      let note = try parent.named("note", Notebook.note)
      note.remove(try parent.named("made", Notebook.tag), from: Notebook.tags)
      note.moveObjects(of: Notebook.steps, at: [1], to: 0)
    }
    try child.performAndWait {
      let note = try child.named("note", Notebook.note)
      try child.refresh(note, mergeChanges: false)
      #expect(note.names(Notebook.tags) == ["red"])
      #expect(note.names(Notebook.steps) == ["three", "one", "two"])
      note.remove(child.object(with: step), from: Notebook.steps)
      #expect(note.names(Notebook.steps) == ["one", "two"])
    }
    try chain.saveAll()
    try stack.inStore { context in
      try context.expect("note", Notebook.note, leadsTo: ["red"], by: Notebook.tags)
      try context.expect("note", Notebook.note, leadsTo: ["one", "two"], by: Notebook.steps)
    }
  }

  /// Read: a child reads the parent's unsaved members, and the parent does not show the child's changes.
  @Test(arguments: Arrangement.nested)
  func `a child reads relationships with its parent's unsaved changes`(arrangement: Arrangement) throws {
    let (_, chain) = try make(arrangement)
    try chain.root.performAndWait {
      let root = chain.root
      let note = try root.named("note", Notebook.note)
      note.add(root.insert(Notebook.tag, named: "unsaved"), to: Notebook.tags)
      note.moveObjects(of: Notebook.steps, at: [1], to: 0)
      root.delete(try root.named("red", Notebook.tag))
    }
    try expect(chain.leaf, tags: ["unsaved"], steps: ["two", "one"])
    try chain.leaf.performAndWait {
      let note = try chain.leaf.named("note", Notebook.note)
      note.setRelatedObjects([], at: Notebook.tags)
      note.setRelatedObjects([], at: Notebook.steps)
    }
    try expect(chain.root, tags: ["unsaved"], steps: ["two", "one"])
  }

  /// Peer events: a sibling that merges a save into the parent shows the new members, including those with temporary
  /// IDs.
  @Test(arguments: Arrangement.nested)
  func `a merge updates a sibling's to-many and many-to-many relationships`(arrangement: Arrangement) throws {
    let (_, chain) = try make(arrangement)
    let parent = parent(of: chain)
    let peer = ManagedObjectContext(.privateQueue, parent: parent, name: "peer")
    let (note, blue) = try peer.performAndWait {
      let note = try peer.named("note", Notebook.note)
      let blue = try peer.named("blue", Notebook.tag)
      #expect(note.names(Notebook.tags) == ["red"] && note.names(Notebook.steps) == ["one", "two"])
      #expect(blue.names(Notebook.notes).isEmpty)
      return (note, blue)
    }
    let saves = Journal<SaveNotification>()
    let token = chain.leaf.observeDidSave { saves.write($0) }
    defer { token.cancel() }
    try chain.leaf.performAndWait {
      let child = chain.leaf
      let note = try child.named("note", Notebook.note)
      note.setRelatedObjects(
        [try child.named("blue", Notebook.tag), child.insert(Notebook.tag, named: "new")], at: Notebook.tags)
      note.insert(child.insert(Notebook.step, named: "zero"), into: Notebook.steps, at: 0)
      note.remove(try child.named("two", Notebook.step), from: Notebook.steps)
      try child.save()
    }
    peer.performAndWait {
      for save in saves.entries { peer.mergeChanges(fromContextDidSave: save) }
      #expect(note.names(Notebook.tags) == ["blue", "new"])
      #expect(note.names(Notebook.steps) == ["zero", "one"])
      #expect(blue.names(Notebook.notes) == ["note"])
      #expect(!peer.hasChanges)
    }
  }

  /// Rollback: the child discards its changes, and the parent keeps its own. The parent's rollback also discards the
  /// changes that children pushed.
  @Test(arguments: Arrangement.nested)
  func `a rollback discards a context's own changes and those pushed into it`(arrangement: Arrangement) throws {
    let (stack, chain) = try make(arrangement)
    let parent = parent(of: chain)
    let child = chain.leaf
    try parent.performAndWait {
      let note = try parent.named("note", Notebook.note)
      note.add(try parent.named("blue", Notebook.tag), to: Notebook.tags)
    }
    try child.performAndWait {
      let note = try child.named("note", Notebook.note)
      note.setRelatedObjects([], at: Notebook.tags)
      note.moveObjects(of: Notebook.steps, at: [1], to: 0)
      child.rollback()
    }
    try expect(child, tags: ["red", "blue"], steps: ["one", "two"])
    try child.performAndWait {
      let note = try child.named("note", Notebook.note)
      note.moveObjects(of: Notebook.steps, at: [1], to: 0)
      note.remove(try child.named("red", Notebook.tag), from: Notebook.tags)
      try child.save()
    }
    try expect(parent, tags: ["blue"], steps: ["two", "one"])
    parent.performAndWait { parent.rollback() }
    try expect(parent, tags: ["red"], steps: ["one", "two"])
    chain.root.performAndWait { chain.root.rollback() }
    try stack.inStore { try $0.expect("note", Notebook.note, leadsTo: ["red"], by: Notebook.tags) }
  }
}
