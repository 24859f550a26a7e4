import ContextEngine
import Harness
import Testing
import Workloads

@Suite struct EngineSchemaTests {
  private func schema(width: Int) -> WorkloadSchema {
    WorkloadSchema(
      entities: [
        WorkloadSchema.Entity(
          name: "Record", attributes: (0..<width).map { WorkloadSchema.Attribute(name: "a\($0)", type: .string) },
          keyIndex: 0, sortIndexes: [0], shownIndexes: [0])
      ], recordForm: .plain)
  }

  /// 1,900 is `MappedFeed.largestWidth`. The app adds another attribute.
  @Test func `an entity takes 1,900 attributes and throws for 1,997`() throws {
    #expect(try EngineSchema(schema(width: 1_900)).entities[0].attributes.count == 1_900)
    let error = #expect(throws: PersistenceError.self) { try EngineSchema(schema(width: 1_997)) }
    #expect(error?.code == .invalidModel)
  }
}
