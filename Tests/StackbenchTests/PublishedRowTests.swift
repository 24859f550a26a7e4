import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics
import Testing
import Topologies

@testable import stackbench

/// A row of a published table in virtual time, at a fiftieth of its size.
@Suite struct PublishedRowTests {
  private struct Figures: Equatable {
    var total: Span
    var mainBusy: Span
    var mainCPU: Span
    var digest: String
    var fingerprint: String
  }

  private func run(_ row: PublishedFigures) throws -> Figures {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let profile = try ProfileLibrary.profile(named: "ipad-mini-ios-6")
    let simulation = Simulation(profile: profile, scheduleSeed: nil, seed: 1, isTraced: false)
    let plan = PublishedTrial.Plan(
      topology: try #require(Topology.named(row.topology)), batching: row.batching,
      options: RunOptions(simulating: profile), storePath: "\(folder.path)/store.sqlite",
      objectCount: 300, savedTogether: 20, lookedUpTogether: 10)
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: 1_000)
    let machine = SimulatedMachine(simulation.device, ledger: work, observer: mainQueue)
    let trial = PublishedTrial(
      plan: plan, machine: machine, work: work, mainQueue: mainQueue,
      instruments: .simulated(on: machine, simulation))
    let outcome = try machine.run { try trial.run() }
    #expect(outcome.complaints == [])
    return Figures(
      total: outcome.total, mainBusy: outcome.mainBusy, mainCPU: outcome.mainCPU, digest: outcome.storeDigest,
      fingerprint: "\(machine.fingerprint)")
  }

  @Test(arguments: PublishedFigures.kugler2013)
  func `a row comes out right, and the same every time`(_ row: PublishedFigures) throws {
    let first = try run(row)
    #expect(first.total > .zero && first.mainCPU > .zero)
    #expect(try run(row) == first)
  }
}
