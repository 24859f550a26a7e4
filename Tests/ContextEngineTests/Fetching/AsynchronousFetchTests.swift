import ContextEngine
import Foundation
import TestSupport
import Testing

/// Fetches that run while their contexts do other things.
@Suite(.onBothStores, .namingTheStore) struct AsynchronousFetchTests {
  /// Waits until the completion block has run, and returns its result. Fails after ten seconds.
  private func finish(
    _ request: FetchRequest, in context: ManagedObjectContext,
    afterBeginning: @escaping @Sendable (FetchProgress) -> Void = { _ in },
    check: @escaping @Sendable (AsynchronousFetchResult) -> Void
  ) throws {
    let done = DispatchSemaphore(value: 0)
    try context.performAndWait {
      let begun = try context.execute(
        AsynchronousFetchRequest(request) { result in
          check(result)
          done.signal()
        })
      #expect(begun.finalResult == nil && begun.operationError == nil)
      afterBeginning(begun.progress)
    }
    #expect(done.wait(timeout: .now() + 10) == .success)
  }

  @Test(arguments: Arrangement.all)
  func `an asynchronous fetch returns the same objects as a synchronous one`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in for number in 0..<30 { context.insertBook("Book \(10 + number)") } }
    for (level, context) in chain.contexts.enumerated() {
      try context.performAndWait {
        context.insertBook("Book 0\(level)")
        context.delete(try #require(try context.book("Book 1\(level)")))
      }
    }
    let context = chain.leaf
    var request = FetchRequest.books()
    request.fetchLimit = 20
    let titles = try context.performAndWait { try context.fetch(request).map(\.title) }
    #expect(titles.count == 20)
    try finish(request, in: context) { result in
      #expect(result.operationError == nil)
      #expect(result.finalResult?.map(\.title) == titles)
      #expect(result.progress.completedUnitCount == 20 && result.progress.totalUnitCount == 20)
    }
  }

  @Test func `an asynchronous fetch includes changes made before its rows arrive`() throws {
    let stack = try Stack()
    try stack.seed { context in for title in ["A", "B", "C"] { context.insertBook(title) } }
    let context = stack.context()
    let request = FetchRequest.books()
    let done = DispatchSemaphore(value: 0)
    try context.performAndWait {
      try context.execute(
        AsynchronousFetchRequest(request) { result in
          #expect(result.finalResult?.map(\.title) == ["A", "AB", "C", "Z"])
          done.signal()
        })
      context.insertBook("AB")
      try context.book("B")?[Book.title] = "Z"
    }
    #expect(done.wait(timeout: .now() + 10) == .success)
  }

  @Test func `a cancelled fetch ends with an error and registers no objects`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<30 { context.insertBook("Book \(number)") } }
    for context in [stack.context(), stack.chain(1).leaf] {
      try finish(FetchRequest.books(), in: context, afterBeginning: { $0.cancel() }) { result in
        #expect(result.operationError?.code == .userCancelled && result.finalResult == nil)
        #expect(result.progress.isCancelled && context.registeredObjects.isEmpty)
      }
    }
  }

  @Test func `a store error reaches the completion block, and an invalid request throws at once`() throws {
    let stack = try Stack()
    let context = stack.context()
    try stack.store.close()
    try finish(FetchRequest.books(), in: context) { result in
      #expect(result.operationError?.code == .storeOpen)
    }
    context.performAndWait {
      var request = FetchRequest(Book.entity)
      request.fetchOffset = -1
      let error = #expect(throws: PersistenceError.self) {
        try context.execute(AsynchronousFetchRequest(request) { _ in })
      }
      #expect(error?.code == .invalidPredicate)
    }
  }
}
