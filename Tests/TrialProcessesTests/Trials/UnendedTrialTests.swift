import Harness
import InputFiles
import MachineCore
import Testing
import Topologies
import Workloads

/// A trial that does not end says why.
@Suite struct UnendedTrialTests {
  @Test func `a trial that does not end says which queue waits, for what, and since when`() throws {
    var topology = Topology.childOfMain
    topology.rules = []
    let profile = try ProfileLibrary.profile(named: ProfileLibrary.standardName)
    let workload = WorkloadOptions(workload: .catalog, rows: 60, existingRows: 90, batchSize: 30, mix: .standard)
    // Edits would save main.
    let options = TrialBench.options(on: profile) { options in
      options.saveEvery = 30
      options.userEditInterval = .zero
    }
    let bench = try TrialBench(workload, options, on: profile)
    let error = #expect(throws: (any Error).self) { try bench.run(topology, timeLimit: .seconds(2)) }
    let text = error.map { "\($0)" } ?? ""
    let start = "the limit of 2 s of virtual time was reached before the trial ended; “main” has waited since "
    #expect(text.hasPrefix(start))
    #expect(text.contains(" ms for the COMMIT of payload 0; "))
    #expect(text.hasSuffix("; “main” has unsaved changes"))
  }
}
