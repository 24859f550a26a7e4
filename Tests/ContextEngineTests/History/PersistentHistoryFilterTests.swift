import ContextEngine
import TestSupport
import Testing

/// Tests of the changes that filtered requests for history find.
@Suite struct PersistentHistoryFilterTests {
  /// Core Data's fetch requests for changes, by their attributes `changeType`, `changedEntity` and `changedObjectID`.
  @Test func `history is filtered by change type, entity and object`() throws {
    let stack = try Stack { $0.tracksHistory = true }
    let context = stack.context()
    try context.performAndWait {
      let jane = context.insertAuthor("Jane")
      let emma = context.insertBook("Emma", author: jane)
      try context.save()
      emma[Book.year] = 1815
      try context.save()
      context.delete(emma)
      try context.save()
      func found(_ filter: PersistentHistoryChangeFilter) throws -> [[PersistentHistoryChange.ChangeType]] {
        var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
        request.changeFilter = filter
        return try stack.coordinator.execute(request).transactions.map { ($0.changes ?? []).map(\.changeType) }
      }
      #expect(try found(.changeType(.insert)) == [[.insert, .insert]])
      #expect(try found(.entity("Author")).first == [.insert])
      #expect(try found(.object(emma.objectID)) == [[.insert], [.update], [.delete]])
      #expect(try found(.and([.entity("Book"), .not(.changeType(.insert))])) == [[.update], [.delete]])
      #expect(try found(.or([])).isEmpty)
      let error = #expect(throws: PersistenceError.self) { try found(.entity("Nothing")) }
      #expect(error?.code == .invalidPredicate)
    }
  }
}
