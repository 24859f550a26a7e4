import ContextEngine
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import Topologies

/// Contexts that are confined to threads and queues of the app.
@Suite struct ConfinementLaws {
  @Test func `a confined context works on the queue that the app made for it, and main on the main queue`() throws {
    let bench = try StackUnderTest(.confinement, .init(laneCount: 2))
    let workers = (0..<2).map { bench.stack.beginPayload(lane: $0) }
    #expect(workers[0].confiningQueue !== workers[1].confiningQueue)
    #expect(bench.uiContext().confiningQueue === bench.machine.mainQueue)
    for worker in workers { #expect(worker.confiningQueue?.label == "worker") }
  }

  @Test func `a notification is handed across by a block that the app posts to main`() throws {
    let bench = try StackUnderTest(.confinement)
    let main = bench.uiContext()
    let product = try bench.onMain { try main.event { try #require(try main.products([3]).first) } }
    bench.importPayload([[.update(3, weight: 33)]])
    #expect(bench.onMain { main.event { product[Product.weight] } } == .integer(33))
    #expect(bench.screens.postedMerges.entries == ["worker"])
    #expect(bench.ledger.count(.perform) == 0)
  }

  @Test func `a confined context that is used on another queue stops the process with a sentence`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try StackUnderTest(.confinement)
      let worker = bench.stack.beginPayload(lane: 0)
      bench.onMain { worker.event { _ = worker.insert(Product.entity) } }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("context worker, or an object of it, was used on the queue “main”"))
    #expect(text.contains("it is confined to the thread or queue that used it first"))
  }

  @Test func `an object of a confined context that is read on another queue stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try StackUnderTest(.confinement)
      let worker = bench.stack.beginPayload(lane: 0)
      let product = try worker.run { try worker.products([3])[0] }
      bench.onMain { _ = product[Product.name] }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("context worker, or an object of it, was used on"))
  }

  @Test func `perform on a confined context stops the process with a sentence`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try StackUnderTest(.confinement)
      bench.uiContext().perform {}
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("perform was called on context main, which is confined to a thread"))
  }
}
