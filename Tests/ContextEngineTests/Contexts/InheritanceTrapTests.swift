import TestSupport
import Testing

/// Misuse of inheritance that stops the process. Each test starts a separate process.
@Suite struct InheritanceTrapTests {
  @Test func `inserting an object of an abstract entity stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack(model: Zoo.model).context()
      context.performAndWait { _ = context.insert(Zoo.animal) }
    }
    try expectSentence("an object of entity Animal was inserted, which is abstract", from: result)
  }

  @Test func `using a sibling entity's property path on an object stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack(model: Zoo.model).context()
      context.performAndWait { _ = context.insert(Zoo.bird)[Zoo.legs] }
    }
    try expectSentence("was used on an object of entity Bird", from: result)
  }

  @Test func `relating an object of a sibling entity stops the process`() async throws {
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
