import Harness
import InputFiles
import Metrics
import TestSupport
import Testing
import Topologies
import Workloads

/// The seeds of simulated trials.
@Suite struct SeedTests {
  private func bench(seed: UInt64) throws -> TrialBench {
    // A device with round costs, on which different strands have events at the same instant.
    let phone = Repository.root.appendingPathComponent("Tests/StackbenchTests/Goldens/phone.yaml").path
    let profile = try ProfileLibrary.profile(named: phone)
    var workload = WorkloadOptions(
      workload: .catalog, rows: 120, existingRows: 60, batchSize: 60, mix: .standard, lanes: 2)
    workload.seed = seed
    let options = TrialBench.options(on: profile) {
      $0.lanes = 2
      $0.saveEvery = 30
      $0.userEditInterval = .milliseconds(20)
      $0.viewControllers = 3
      $0.seed = seed
    }
    return try TrialBench(workload, options, on: profile)
  }

  /// Returns the record of a trial without the only figure that depends on this computer.
  private func record(_ topology: Topology, on bench: TrialBench, scheduleSeed: UInt64? = nil) throws -> TrialRecord {
    var record = try bench.run(topology, scheduleSeed: scheduleSeed).record
    record.simulation?.wallNanoseconds = 0
    return record
  }

  @Test(arguments: [Topology.workerMerge(.notification), .threeTier])
  func `each schedule seed reproduces its own schedule`(topology: Topology) throws {
    let bench = try bench(seed: 1)
    var fingerprints: Set<String?> = []
    // Two lanes arrive at the same instants.
    for seed: UInt64 in 1...3 {
      let first = try record(topology, on: bench, scheduleSeed: seed)
      #expect(try record(topology, on: bench, scheduleSeed: seed) == first)
      fingerprints.insert(first.simulation?.fingerprint)
    }
    #expect(fingerprints.count > 1)
  }

  @Test func `different seeds have different fingerprints`() throws {
    let fingerprints = try (1...2).map { seed in
      try record(.allMain, on: bench(seed: seed)).simulation?.fingerprint
    }
    #expect(fingerprints[0] != nil && fingerprints[0] != fingerprints[1])
  }
}
