import Testing

@testable import TrialProcesses

@Suite struct AllowedCoresTests {
  @Test func `the allowed cores of a process are parsed from its status`() {
    #expect(
      AllowedCores.numbers(inStatus: "Name:\tx\nCpus_allowed_list:\t0-2,5,7-8\nThreads:\t1\n") == [0, 1, 2, 5, 7, 8])
    #expect(AllowedCores.numbers(inStatus: "Name:\tx\n").isEmpty)
    #expect(!AllowedCores.current.isEmpty)
  }
}
