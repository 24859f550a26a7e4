import ContextEngine
import Foundation
import TestSupport
import Testing
import Topologies

/// A main context that is pinned to a query generation, compared with one that reads the newest rows.
@Suite struct PinnedMainLaws {
  /// Fires faults of rows that the import has deleted and main has not merged.
  ///
  /// - Returns: The names that were read. Null is the value of a fault whose row is gone.
  private func namesOfDeletedRows(_ topology: Topology) throws -> [Value] {
    let bench = try StackUnderTest(topology)
    let isDeleted = Gate()
    bench.onStatement { statement in
      if statement.sql.hasPrefix("COMMIT"), !statement.place.isOnMain { isDeleted.open() }
    }
    let main = bench.uiContext()
    let names = try bench.onMain {
      try main.event {
        let products = try main.products(5..<9)
        for product in products { try main.refresh(product, mergeChanges: false) }
        bench.post([[.delete(5), .delete(6), .delete(7), .delete(8)]])
        // The merge cannot run before this block has ended.
        isDeleted.pass()
        while try bench.file.number("SELECT count(*) FROM ZPRODUCT") > 16 { usleep(1_000) }
        return products.map { $0[Product.name] }
      }
    }
    bench.onStatement(nil)
    bench.settle()
    #expect(try bench.onMain { try main.event { try main.products(5..<9) } }.isEmpty)
    return names
  }

  @Test func `a fault in pinned main finds its row until the deletion is merged`() throws {
    #expect(try namesOfDeletedRows(.pinnedMain) == (5..<9).map { .string(Product.name(of: $0)) })
    #expect(try namesOfDeletedRows(.workerMerge(.notification)) == Array(repeating: .null, count: 4))
  }

  /// Returns the size of the write-ahead log after an import of many small saves that main has not merged.
  private func logSize(_ topology: Topology) throws -> Int {
    let bench = try StackUnderTest(topology)
    let main = bench.uiContext()
    return try bench.onMain {
      try main.event {
        _ = try main.products([0])
        let last = 2_400
        bench.post((1...last).map { [.update($0 % 20, weight: $0)] })
        while try bench.file.number("SELECT max(ZWEIGHT) FROM ZPRODUCT") < last { usleep(2_000) }
        let attributes = try FileManager.default.attributesOfItem(atPath: bench.file.path + "-wal")
        return try #require(attributes[.size] as? Int)
      }
    }
  }

  @Test func `the write-ahead log grows while pinned main does not merge`() throws {
    let (pinned, unpinned) = (try logSize(.pinnedMain), try logSize(.workerMerge(.notification)))
    #expect(pinned > unpinned * 3 / 2, "\(pinned) and \(unpinned) bytes")
  }

  @Test func `pinned main reads the newest rows after a merge`() throws {
    let bench = try StackUnderTest(.pinnedMain)
    let main = bench.uiContext()
    #expect(try bench.onMain { try main.event { try main.products([100]) } }.isEmpty)
    let context = bench.stack.beginPayload(lane: 0)
    // No rule merges the saves of this context, so main stays at its generation.
    let other = ManagedObjectContext(.privateQueue, coordinator: context.coordinator, name: "other")
    try other.performAndWait {
      try other.apply([.insert(100)])
      try other.save()
    }
    #expect(try bench.onMain { try main.event { try main.products([100]) } }.isEmpty)
    bench.importPayload([[.insert(101)]])
    #expect(try bench.onMain { try main.event { try main.products([100, 101]) } }.count == 2)
  }
}
