import ContextEngine
import Testing
import Workloads

@testable import Harness

@Suite struct EngineSchemaTests {
  private func schema(width: Int) -> WorkloadSchema {
    WorkloadSchema(
      entities: [
        WorkloadSchema.Entity(
          name: "Record", attributes: (0..<width).map { WorkloadSchema.Attribute(name: "a\($0)", type: .string) },
          keyIndex: 0, sortIndexes: [0], shownIndexes: [0])
      ], recordForm: .plain)
  }

  /// 63 is `FeedSchema.largestImportWidth`.
  @Test func `an entity takes 63 attributes and throws for 64`() throws {
    #expect(try EngineSchema(schema(width: 63)).entities[0].attributes.count == 63)
    let error = #expect(throws: PersistenceError.self) { try EngineSchema(schema(width: 64)) }
    #expect(error?.code == .invalidModel)
  }
}
