import ContextEngine
import Testing

/// What is misused: these start processes of their own.
@Suite struct InheritanceTrapTests {
  @Test func `an object of an abstract entity cannot be inserted`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack(model: Zoo.model).context()
      context.performAndWait { _ = context.insert(Zoo.animal) }
    }
    try expectSentence("an object of entity Animal was inserted, which is abstract", from: result)
  }

  @Test func `a path of an entity does not work on objects of one beside it`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack(model: Zoo.model).context()
      context.performAndWait { _ = context.insert(Zoo.bird)[Zoo.legs] }
    }
    try expectSentence("was used on an object of entity Bird", from: result)
  }

  @Test func `a to-one to an entity in the middle takes no object of the one above it`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack(model: Zoo.model).context()
      context.performAndWait {
        let keeper = context.insert(Zoo.keeper)
        keeper.add(context.insert(Zoo.bird), to: Zoo.charges)
      }
    }
    try expectSentence("was used on an object of entity Bird", from: result)
  }
}
