import ContextEngine
import Harness
import Testing
import Workloads

@Suite struct EngineSchemaTests {
  private func schema(width: Int) -> WorkloadSchema {
    let attributes = (0..<width).map { "<attribute name=\"a\($0)\" attributeType=\"String\"/>" }.joined()
    return WorkloadSchema(
      "<entity name=\"Record\">\(attributes)<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/></entity>",
      imports: ["Record": (["a0"], ["a0"], ["a0"], [])])
  }

  /// 1,900 is `MappedFeed.largestWidth`. The app adds another attribute.
  @Test func `an entity takes 1,900 attributes and throws for 1,997`() throws {
    #expect(try EngineSchema(schema(width: 1_900)).entities[0].attributes.count == 1_900)
    let error = #expect(throws: PersistenceError.self) { try EngineSchema(schema(width: 1_997)) }
    #expect(error?.code == .invalidModel)
  }
}
