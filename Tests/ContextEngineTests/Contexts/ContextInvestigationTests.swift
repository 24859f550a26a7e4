import ContextEngine
import MachineCore
import TestSupport
import Testing

/// The behaviour of contexts that Apple's documentation describes only in part.
///
/// Origin: CoreDataPlus's investigations of contexts (11), observed on Apple's framework. Refreshing everything (1) is
/// in `RefreshingTests`, registered objects after a save (8) in `LifetimeTests`, batched lists (9) in `FetchingTests`,
/// undo managers (11) in `UndoTests`. Key-value observing (2) has no equivalent here.
@Suite(.onBothStores, .namingTheStore) struct ContextInvestigationTests {
  /// Investigations 3 of 11: the parent changes and saves what a child has realised.
  @Test(arguments: [true, false], [false, true])
  func `a child shows its parent's saves only if it merges automatically`(merges: Bool, isMain: Bool) throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let parent = isMain ? stack.mainContext() : stack.context("parent")
    let child = ManagedObjectContext(.privateQueue, parent: parent, name: "child")
    let objectID = try stack.inStore { try #require(try $0.book("Emma")).objectID }
    let held = try child.performAndWait {
      child.automaticallyMergesChangesFromParent = merges
      return try child.existingObject(with: objectID)
    }
    try parent.performAndWait {
      try parent.existingObject(with: objectID)[Book.title] = "changed"
      try parent.save()
    }
    drain(child)
    child.performAndWait { #expect(held.title == (merges ? "changed" : "Emma")) }
  }

  /// Investigations 4 of 11: a batch update bypasses contexts and the row cache.
  @Test func `a refresh after a batch update reads the cached row unless staleness is zero`() throws {
    let stack = try Stack()
    // A store in memory does not support batch requests.
    guard stack.hasSQL else { return }
    let context = stack.context()
    try context.performAndWait {
      let book = context.insertBook("Emma")
      try context.save()
      var update = BatchUpdateRequest(
        Book.entity, predicate: .equal(Book.title, "Emma"), propertiesToUpdate: [Book.title: .constant("changed")])
      update.resultType = .count
      #expect(try context.execute(update).count == 1)
      try context.refresh(book, mergeChanges: false)
      #expect(book.title == "Emma")
      try context.refreshAllObjects()
      #expect(book.title == "Emma")
      context.stalenessInterval = .zero
      try context.refresh(book, mergeChanges: false)
      #expect(book.title == "changed")
      context.stalenessInterval = TimeSpan(nanoseconds: -1)
      try context.refreshAllObjects()
      #expect(book.title == "changed")
    }
  }

  /// Investigations 5 of 11: Apple's framework was seen to keep the old values of a realised object against the
  /// request's option. Here the request does what its documentation says (`DivergencesFromCoreData.md`).
  @Test(arguments: [false, true])
  func `shouldRefreshRefetchedObjects updates a realised object after another context's save`(refreshes: Bool) throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let context = stack.context()
    let held = try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      try book.fulfillFault()
      return book
    }
    try stack.seed { context in (try? context.book("Emma"))??[Book.note] = "theirs" }
    try context.performAndWait {
      var request = FetchRequest.books()
      request.shouldRefreshRefetchedObjects = refreshes
      _ = try context.fetch(request)
      #expect(held[Book.note] == (refreshes ? "theirs" : .null))
      try context.refresh(held, mergeChanges: false)
      #expect(held[Book.note] == "theirs")
    }
  }

  /// Investigations 6 of 11: a refresh of all objects turns an unchanged object into a fault, which loses the values
  /// that are not in the store. A child's object reads them from its parent again.
  @Test(arguments: [0, 1])
  func `refreshAllObjects drops transient values unless a parent has them`(depth: Int) throws {
    let stack = try Stack(model: Garage.model)
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let car = context.insert(Garage.car)
      car[Garage.speed] = 50
      try context.save()
      #expect(car[Garage.speed] == 50)
      try context.refreshAllObjects()
      #expect(car.isFault && car[Garage.speed] == (depth == 0 ? 0 : 50))
      car[Garage.speed] = 100
      #expect(car[Garage.speed] == 100 && car.hasChanges)
    }
  }

  /// Investigations 7 of 11: a child's save pushes transient values to its parent. An object that the child reads again
  /// has its parent's values, where Apple's framework was seen to give the default (`DivergencesFromCoreData.md`).
  @Test func `a child's save pushes transient values, which the child reads from its parent`() throws {
    let stack = try Stack(model: Garage.model)
    let chain = stack.chain(1)
    let (parent, child) = (chain.root, chain.leaf)
    let objectID = try child.performAndWait {
      let car = child.insert(Garage.car)
      car["plate"] = "A 1"
      car[Garage.speed] = 50
      try child.save()
      #expect(car[Garage.speed] == 50)
      // The object is changed again, so that the context retains it.
      car[Garage.speed] = 20
      return car.objectID
    }
    let held = parent.performAndWait {
      let car = parent.object(with: objectID)
      #expect(car["plate"] == "A 1" && car[Garage.speed] == 50)
      return car
    }
    try child.performAndWait {
      #expect(child.registeredObjects.map { $0[Garage.speed] } == [20])
      try child.save()
    }
    parent.performAndWait { #expect(held[Garage.speed] == 20) }
    try child.performAndWait {
      #expect(child.registeredObjects.isEmpty)
      let car = try #require(try child.fetch(FetchRequest(Garage.car)).first)
      #expect(car["plate"] == "A 1" && car[Garage.speed] == 20)
    }
  }

  /// Investigations 10 of 11: Apple's framework was seen to read dictionaries in batches if they have the object's ID.
  /// Here they are read at once (`DivergencesFromCoreData.md`).
  @Test func `a batch size has no effect on dictionaries`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<25 { context.insertBook("Book \(number)") } }
    try stack.inStore { context in
      var request = FetchRequest.books()
      request.propertiesToFetch = [Book.title]
      request.expressionsToFetch = [.objectID("objectID")]
      request.fetchBatchSize = 10
      try stack.expectStatements(1) {
        let rows = try context.fetchDictionaries(request)
        #expect(rows.count == 25)
      }
    }
  }
}
