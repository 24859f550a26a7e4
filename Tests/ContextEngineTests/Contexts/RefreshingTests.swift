import ContextEngine
import MachineCore
import TestSupport
import Testing

/// Tests of existing objects, refreshes of all objects, stale rows, and contexts that retain their objects.
@Suite(.onBothStores, .namingTheStore) struct RefreshingTests {
  @Test(arguments: Arrangement.all, [true, false])
  func `a refresh keeps a new object and its values`(arrangement: Arrangement, mergeChanges: Bool) throws {
    let (stack, chain) = try arrangement.makeStack()
    let context = chain.leaf
    try context.performAndWait {
      let emma = context.insertBook("Emma", year: 1815)
      try context.refresh(emma, mergeChanges: mergeChanges)
      #expect(!emma.isFault && emma.isInserted && emma.title == "Emma" && emma[Book.year] == 1815)
      try context.save()
    }
    try chain.saveAll()
    #expect(try stack.storedTitles() == ["Emma"])
  }

  @Test(arguments: Arrangement.all)
  func `existingObject returns a realised object, or throws error 133000 without a row`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma") }
    let objectID = try stack.inStore { try #require(try $0.book("Emma")).objectID }
    let context = chain.leaf
    for deletes in [true, false] {
      for level in chain.contexts { level.performAndWait { level.shouldDeleteInaccessibleFaults = deletes } }
      try context.performAndWait {
        let emma = try context.existingObject(with: objectID)
        #expect(!emma.isFault && emma.title == "Emma")
        #expect(try context.existingObject(with: objectID) === emma)
        let nowhere = ObjectID(entity: Book.entity.index, key: 99)
        for _ in 0..<2 {
          let error = #expect(throws: PersistenceError.self) { try context.existingObject(with: nowhere) }
          #expect(error?.code.rawValue == 133000 && error?.objectIDs == [nowhere])
        }
        let added = context.insertBook("Persuasion")
        #expect(try context.existingObject(with: added.objectID) === added)
        context.rollback()
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `refreshAllObjects makes unchanged objects faults and keeps unsaved changes`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      for title in ["Emma", "Persuasion", "Sanditon"] { context.insertBook(title) }
    }
    let context = chain.leaf
    try context.performAndWait {
      let books = try context.books()
      for book in books { try book.fulfillFault() }
      let added = context.insertBook("Lady Susan")
      books[1][Book.note] = "changed"
      context.delete(books[2])
      context.processPendingChanges()
      let changes = Journal<[ManagedObject]>()
      let observer = context.observeDidChange { changes.write($0.refreshed) }
      try context.refreshAllObjects()
      context.processPendingChanges()
      observer.cancel()
      #expect(changes.entries == [[books[0], books[1]]])
      #expect(books[0].isFault && !books[1].isFault && !added.isFault)
      #expect(books[1][Book.note] == "changed" && books[1].isUpdated && books[1].title == "Persuasion")
      #expect(books[2].isDeleted && added.isInserted && added.title == "Lady Susan")
      #expect(books[0].title == "Emma")
      try context.save()
    }
    try chain.saveAll()
    #expect(try stack.storedTitles() == ["Emma", "Lady Susan", "Persuasion"])
  }

  /// CoreDataPlus observed on Apple's framework that a refresh of an object whose cached row is stale keeps the old
  /// value unless the staleness interval is 0.
  @Test func `a refresh reads the cached row unless it exceeds the staleness interval`() throws {
    let folder = try TemporaryFolder()
    let stack = try Stack(on: folder)
    try stack.seed { $0.insertBook("Emma") }
    let context = stack.context()
    // The other coordinator uses the same store, and this one receives no notification of its saves.
    let other = try Stack(on: folder)
    let change = { (note: String) in
      try other.inStore { context in
        try #require(try context.book("Emma"))[Book.note] = .string(note)
        try context.save()
      }
    }
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      #expect(emma[Book.note] == .null)
      try change("first")
      try context.refresh(emma, mergeChanges: true)
      #expect(emma[Book.note] == .null)
      try context.refresh(emma, mergeChanges: false)
      #expect(emma[Book.note] == .null)

      context.stalenessInterval = .zero
      try context.refresh(emma, mergeChanges: true)
      #expect(emma[Book.note] == "first")
      try change("second")
      // The object is realised, so its value is not read from a row and the interval does not apply.
      #expect(emma[Book.note] == "first")
      try context.refresh(emma, mergeChanges: false)
      #expect(emma[Book.note] == "second")

      context.stalenessInterval = .seconds(3_600)
      // The row was read before ages were recorded, so it counts as too old.
      try change("third")
      try context.refresh(emma, mergeChanges: true)
      #expect(emma[Book.note] == "third")
      // The row was just read, so it is young enough.
      try change("fourth")
      try context.refresh(emma, mergeChanges: true)
      #expect(emma[Book.note] == "third")
      context.stalenessInterval = TimeSpan(nanoseconds: 1)
      stack.machine.wait(until: stack.machine.now + .microseconds(50))
      try context.refresh(emma, mergeChanges: true)
      #expect(emma[Book.note] == "fourth")
    }
  }

  @Test func `a row found missing by a stale read is removed from the row cache`() throws {
    let folder = try TemporaryFolder()
    let stack = try Stack(on: folder)
    try stack.seed { $0.insertBook("Emma") }
    let context = stack.context()
    let other = try Stack(on: folder)
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      #expect(emma.title == "Emma")
      try other.inStore { context in
        context.delete(try #require(try context.book("Emma")))
        try context.save()
      }
      context.stalenessInterval = .zero
      try context.refresh(emma, mergeChanges: false)
      #expect(emma[Book.title] == .null && emma.isDeleted)
    }
  }

  @Test(arguments: Arrangement.all)
  func `retainsRegisteredObjects keeps objects after the block until a reset`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in for number in 0..<3 { context.insertBook("book \(number)") } }
    let context = chain.leaf
    let read = { try context.performAndWait { _ = try context.books() } }
    let count = { context.performAndWait { context.registeredObjects.count } }
    try read()
    #expect(count() == 0)
    context.performAndWait { context.retainsRegisteredObjects = true }
    try read()
    #expect(count() == 3)
    try context.performAndWait {
      context.delete(try context.books()[0])
      try context.save()
    }
    #expect(count() == 2)
    context.performAndWait { context.reset() }
    #expect(count() == 0)
    try read()
    #expect(count() == 2)
    context.performAndWait { context.retainsRegisteredObjects = false }
    #expect(count() == 0)
  }

  @Test(arguments: Arrangement.nested, ["fetch", "refresh", "refresh all"])
  func `a deleted object is restored in a child after its parent's rollback`(
    arrangement: Arrangement, way: String
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma") }
    let above = chain.contexts[chain.contexts.count - 2]
    let context = chain.leaf
    let emma = try context.performAndWait { try #require(try context.book("Emma")) }
    try above.performAndWait { above.delete(try #require(try above.book("Emma"))) }
    try context.performAndWait {
      try context.refresh(emma, mergeChanges: false)
      #expect(emma.title == "" && emma.isDeleted)
    }
    above.performAndWait { above.rollback() }
    try context.performAndWait {
      switch way {
      case "fetch": #expect(try context.books() == [emma])
      case "refresh": try context.refresh(emma, mergeChanges: true)
      default: try context.refreshAllObjects()
      }
      #expect(emma.title == "Emma" && !emma.isDeleted)
    }
  }
}
