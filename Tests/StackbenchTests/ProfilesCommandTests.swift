import TestSupport
import Testing
import TrialProcesses

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of the errors of commands for profiles that cannot be used.
@Suite struct ProfilesCommandTests {
  @Test func `a damaged profile prints one line and ends with status 64`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("name: [", to: "mine.yaml")
    let outcome = try await Program.run(["profiles", path])
    #expect(outcome.status == 64)
    #expect(outcome.errors == ["error: \(path):2: not YAML: did not find expected node content"])
    #expect(outcome.output.isEmpty)
  }

  @Test func `the reference is refused as a profile`() async throws {
    let reference = try await Program.run(["run", "--machine", "simulated", "--profile", "reference"])
    #expect(reference.status == 64)
    let sentence = "error: reference: holds costs in instructions that devices share and is not a device; use one of "
    #expect(reference.errors.count == 1 && reference.errors[0].hasPrefix(sentence + "iphone-15-pro, "))
  }

  @Test func `an unknown profile is refused with the nearest name`() {
    let failure = #expect(throws: RunFailure.self) { try UserInput.profile(named: "iphone-15-por") }
    #expect(failure?.status == .badUsage)
    #expect(failure?.message == "iphone-15-por: not known; did you mean iphone-15-pro?")
  }
}
