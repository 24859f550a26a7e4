import ContextEngine
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct ManyToManyTests {
  /// Saves two notes and three tags. The first note has the first two tags.
  private func seed(_ stack: Stack) throws {
    try stack.seed { context in
      let first = context.insert(Notebook.note, named: "first")
      context.insert(Notebook.note, named: "second")
      for name in ["red", "green"] { first.add(context.insert(Notebook.tag, named: name), to: Notebook.tags) }
      context.insert(Notebook.tag, named: "blue")
    }
  }

  /// Returns the names of each note's tags in the store.
  private func stored(_ stack: Stack) throws -> [[String]] {
    try stack.inStore { context in
      try ["first", "second"].map { try context.named($0, Notebook.note).names(Notebook.tags) }
    }
  }

  @Test(arguments: Arrangement.all)
  func `adding and removing from either end updates both ends and the store`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try seed(stack)
    #expect(try stored(stack) == [["red", "green"], []])
    let context = chain.leaf
    try context.performAndWait {
      let first = try context.named("first", Notebook.note)
      let second = try context.named("second", Notebook.note)
      let red = try context.named("red", Notebook.tag)
      let blue = try context.named("blue", Notebook.tag)
      second.add(red, to: Notebook.tags)
      blue.add(first, to: Notebook.notes)
      red.remove(first, from: Notebook.notes)
      #expect(first.names(Notebook.tags) == ["green", "blue"])
      #expect(second.names(Notebook.tags) == ["red"])
      #expect(red.names(Notebook.notes) == ["second"])
      #expect(blue.names(Notebook.notes) == ["first"])
      #expect([first, second, red, blue].allSatisfy { $0.isUpdated })
    }
    #expect(try stored(stack) == [["red", "green"], []])
    try chain.saveAll()
    #expect(try stored(stack) == [["green", "blue"], ["red"]])
    for level in chain.contexts {
      try level.performAndWait {
        try level.expect("first", Notebook.note, leadsTo: ["green", "blue"], by: Notebook.tags)
        try level.expect("red", Notebook.tag, leadsTo: ["second"], by: Notebook.notes)
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `a many-to-many relationship is the same with or without an earlier read`(arrangement: Arrangement) throws {
    for readsFirst in [true, false] {
      let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
      try seed(stack)
      let context = chain.leaf
      try context.performAndWait {
        let first = try context.named("first", Notebook.note)
        let red = try context.named("red", Notebook.tag)
        let blue = try context.named("blue", Notebook.tag)
        if readsFirst { #expect(first.names(Notebook.tags) == ["red", "green"]) }
        // The first tag is added although it is a member already, and then removed. The last one is removed although it
        // is not a member, and then added.
        first.add(red, to: Notebook.tags)
        first.remove(red, from: Notebook.tags)
        first.remove(blue, from: Notebook.tags)
        first.add(blue, to: Notebook.tags)
        first.add(blue, to: Notebook.tags)
        #expect(first.names(Notebook.tags) == ["green", "blue"])
        #expect(red.names(Notebook.notes).isEmpty)
      }
      try chain.saveAll()
      #expect(try stored(stack)[0] == ["green", "blue"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `new objects are related under their permanent IDs after the save`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try seed(stack)
    let context = chain.leaf
    try context.performAndWait {
      let third = context.insert(Notebook.note, named: "third")
      let white = context.insert(Notebook.tag, named: "white")
      white.add(third, to: Notebook.notes)
      white.add(try context.named("second", Notebook.note), to: Notebook.notes)
      third.add(try context.named("blue", Notebook.tag), to: Notebook.tags)
    }
    try chain.saveAll()
    for level in chain.contexts {
      try level.performAndWait {
        let third = try level.named("third", Notebook.note)
        #expect(Set(third.names(Notebook.tags)) == ["white", "blue"])
        let white = try level.named("white", Notebook.tag)
        #expect(Set(white.names(Notebook.notes)) == ["second", "third"])
      }
    }
    // The pairs that had temporary IDs are found under the permanent IDs.
    try context.performAndWait {
      let white = try context.named("white", Notebook.tag)
      try context.named("third", Notebook.note).remove(white, from: Notebook.tags)
    }
    try chain.saveAll()
    try stack.inStore { context in
      try context.expect("third", Notebook.note, leadsTo: ["blue"], by: Notebook.tags)
      try context.expect("white", Notebook.tag, leadsTo: ["second"], by: Notebook.notes)
    }
  }

  @Test func `a save writes added and removed pairs only`() throws {
    let stack = try Stack(model: Notebook.model)
    try seed(stack)
    guard stack.hasSQL else { return }
    let context = stack.context()
    try context.performAndWait {
      let first = try context.named("first", Notebook.note)
      first.add(try context.named("blue", Notebook.tag), to: Notebook.tags)
      first.remove(try context.named("red", Notebook.tag), from: Notebook.tags)
      let statements = try stack.statements { try context.save() }
      #expect(
        statements.filter { $0.contains("Z_2TAGS") } == [
          "DELETE FROM Z_2TAGS WHERE Z_2NOTES = ? AND Z_6TAGS = ?",
          "INSERT OR IGNORE INTO Z_2TAGS(Z_2NOTES, Z_6TAGS) VALUES(?, ?)",
        ])
    }
  }

  @Test func `a changed pair raises both ends' versions once per save`() throws {
    let stack = try Stack(model: Notebook.model)
    try seed(stack)
    let context = stack.context()
    try context.performAndWait {
      let first = try context.named("first", Notebook.note)
      let tags = try ["red", "green", "blue"].map { try context.named($0, Notebook.tag) }
      first.setRelatedObjects([tags[1], tags[2]], at: Notebook.tags)
      try context.save()
      #expect(first.version == 2)
      try tags[1].fulfillFault()
      #expect(tags.map(\.version) == [2, 1, 2])
    }
  }

  @Test(arguments: Arrangement.all)
  func `deleting an object removes its pairs, and a cascade deletes related objects`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try seed(stack)
    try stack.seed { context in
      let album = context.insert(Notebook.album, named: "journey")
      for name in ["sea", "hill"] { album.add(context.insert(Notebook.picture, named: name), to: Notebook.pictures) }
      context.insert(Notebook.album, named: "best")
        .add(album.relatedObjects(Notebook.pictures)[0], to: Notebook.pictures)
    }
    let context = chain.leaf
    try context.performAndWait {
      let green = try context.named("green", Notebook.tag)
      let first = try context.named("first", Notebook.note)
      context.delete(green)
      #expect(first.names(Notebook.tags) == ["red"])
      context.delete(try context.named("journey", Notebook.album))
      #expect(try context.fetch(FetchRequest(Notebook.picture)).isEmpty)
      #expect(try context.named("best", Notebook.album).relatedObjects(Notebook.pictures).isEmpty)
    }
    try chain.saveAll()
    #expect(try stored(stack)[0] == ["red"])
    try stack.inStore { context in
      try context.expect("best", Notebook.album, leadsTo: [], by: Notebook.pictures)
    }
    if stack.hasSQL {
      let database = try PlainReader(stack)
      #expect(try database.rows("SELECT count(*) FROM Z_2TAGS") == [["1"]])
      #expect(try database.rows("SELECT count(*) FROM Z_1PICTURES") == [["0"]])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a merged deletion removes unsaved pairs with the deleted object`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try seed(stack)
    let context = chain.leaf
    let other = stack.context("other")
    let journal = Journal<SaveNotification>()
    let token = other.observeDidSave { journal.write($0) }
    defer { token.cancel() }
    try context.performAndWait {
      let first = try context.named("first", Notebook.note)
      // The first tag is related in the store already, which no context here has read. The second one is not.
      for name in ["red", "blue"] { first.add(try context.named(name, Notebook.tag), to: Notebook.tags) }
    }
    try other.performAndWait {
      for name in ["red", "blue"] { other.delete(try other.named(name, Notebook.tag)) }
      try other.save()
    }
    for level in chain.contexts {
      for save in journal.entries { level.performAndWait { level.mergeChanges(fromContextDidSave: save) } }
    }
    try context.performAndWait {
      try context.expect("first", Notebook.note, leadsTo: ["green"], by: Notebook.tags)
    }
    try chain.saveAll()
    #expect(try stored(stack) == [["green"], []])
  }
}
