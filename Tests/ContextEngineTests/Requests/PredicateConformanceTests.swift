import ContextEngine
import TestSupport
import Testing

/// Tests that three evaluations of a predicate agree: by SQL, on the rows of a store in memory, and on unsaved objects.
@Suite struct PredicateConformanceTests {
  @Test(arguments: 1...12)
  func `a random predicate finds the same objects in SQL, in rows and in memory`(seed: UInt64) throws {
    let stacks = try SameStacks(seed: seed)
    var sample = RandomPredicates(seed: seed &* 1_000)
    let unsaved = stacks.bySQL.context("unsaved")
    try unsaved.performAndWait {
      // All objects are changed, so that the context evaluates the predicate in memory.
      let books = try unsaved.fetch(FetchRequest(Book.entity))
      for book in books { book[Book.addedAt] = .date(-1) }
      for _ in 0..<120 {
        let predicate = sample.predicate(depth: 3)
        let request = FetchRequest(Book.entity, predicate: predicate)
        let bySQL = try stacks.bySQL.inStore { try $0.fetchObjectIDs(request).sorted() }
        let inRows = try stacks.inRows.inStore { try $0.fetchObjectIDs(request).sorted() }
        #expect(bySQL == inRows, "\(predicate)")
        #expect(try unsaved.fetch(request).map(\.objectID).sorted() == bySQL, "\(predicate)")
        #expect(try unsaved.count(for: request) == bySQL.count, "\(predicate)")
        #expect(try stacks.bySQL.inStore { try $0.count(for: request) } == bySQL.count, "\(predicate)")
      }
    }
  }

  @Test(arguments: 1...6)
  func `random sort descriptors give the same order in SQL, in rows and in memory`(seed: UInt64) throws {
    let stacks = try SameStacks(seed: seed)
    var sample = RandomPredicates(seed: seed &* 2_000)
    let unsaved = stacks.bySQL.context("unsaved")
    try unsaved.performAndWait {
      for book in try unsaved.fetch(FetchRequest(Book.entity)) { book[Book.addedAt] = .date(-1) }
      for _ in 0..<40 {
        var request = FetchRequest(Book.entity, sortDescriptors: sample.sortDescriptors())
        // Rows with equal keys have no defined order in SQL, and the order of their IDs otherwise.
        request.sortDescriptors.append(FetchSortDescriptor(Book.addedAt))
        request.fetchLimit = sample.below(3) * 7
        request.fetchOffset = sample.below(3) * 4
        let inRows = try stacks.inRows.inStore { try $0.fetchObjectIDs(request) }
        let among = try unsaved.fetch(request).map(\.objectID)
        #expect(inRows.count == among.count)
        for (found, other) in [(try stacks.bySQL.inStore { try $0.fetchObjectIDs(request) }, inRows)] {
          let keys = try stacks.bySQL.inStore { context in try Self.keys(found, request, context) }
          let otherKeys = try stacks.bySQL.inStore { context in try Self.keys(other, request, context) }
          #expect(keys == otherKeys, "\(request.sortDescriptors)")
        }
      }
    }
  }

  /// Returns the sort keys of the objects, one list for each object.
  private static func keys(
    _ objectIDs: [ObjectID], _ request: FetchRequest, _ context: ManagedObjectContext
  ) throws -> [[[UInt8]]] {
    objectIDs.map { objectID in
      request.sortDescriptors.map { descriptor in
        var object: ManagedObject? = context.object(with: objectID)
        for step in descriptor.keyPath.steps.dropLast() { object = object?.related(step) }
        let value = object.map { $0[descriptor.keyPath.last] } ?? .null
        if case .string(let text) = value { return descriptor.textOrder.key(of: text) }
        return Array("\(value)".utf8)
      }
    }
  }
}

/// Two coordinators with the same library: one over SQLite, one over rows in memory.
struct SameStacks {
  let bySQL: Stack
  let inRows: Stack

  init(seed: UInt64) throws {
    bySQL = try StoreKind.$current.withValue(.sqlite) { try Stack() }
    inRows = try StoreKind.$current.withValue(.inMemory) { try Stack() }
    for stack in [bySQL, inRows] {
      var sample = RandomPredicates(seed: seed)
      let context = stack.context("seeding")
      try context.performAndWait {
        sample.insertLibrary(into: context)
        try context.save()
      }
    }
  }
}
