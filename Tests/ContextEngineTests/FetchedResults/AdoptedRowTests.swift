import ContextEngine
import TestSupport
import Testing

/// Lists that contain a row with which a uniqueness constraint merges a new object.
@Suite(.onBothStores, .namingTheStore) struct AdoptedRowTests {
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite], [0, 1, 2])
  func `a list has a row once, at its place, after a new object became part of it`(
    policy: MergePolicy, batchSize: Int
  ) throws {
    let stack = try Stack(model: Roster.model)
    try stack.seed { context in
      for (index, mail) in ["ada", "grace", "mary"].enumerated() { context.insertMember(mail, age: Int64(36 + index)) }
    }
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = policy
      var request = FetchRequest(Roster.member, sortDescriptors: [FetchSortDescriptor(Roster.age)])
      request.fetchBatchSize = batchSize
      let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
      try controller.performFetch()
      let delegate = Following()
      controller.delegate = delegate
      context.insertMember("ada", age: 99)
      try context.save()
      let list = try #require(controller.fetchedObjects)
      #expect(
        list.map { $0[Roster.mail] } == (policy == .storeTrump ? ["ada", "grace", "mary"] : ["grace", "mary", "ada"]))
      #expect(list.count == 3)
      withExtendedLifetime(delegate) {}
    }
  }

  private final class Following: FetchedResultsControllerDelegate {}
}
