import MachineCore
import Testing

@testable import TrialProcesses

@Suite struct StolenTimeTests {
  @Test func `the stolen time is the eighth field of the line cpu`() {
    let text = """
      cpu  101 2 303 4004 5 6 7 88 9 0
      cpu0 50 1 150 2000 2 3 3 44 4 0
      """
    #expect(StolenTime.span(inStatistics: text, ticksPerSecond: 100) == .milliseconds(880))
    #expect(StolenTime.span(inStatistics: text, ticksPerSecond: 1_000) == .milliseconds(88))
  }

  @Test(arguments: ["", "cpu 1 2 3 4 5 6 7\n", "cpu 1 2 3 4 5 6 7 x 9 0\n", "intr 1 2 3 4 5 6 7 8 9\n"])
  func `the stolen time is nil if the statistics lack the field`(text: String) {
    #expect(StolenTime.span(inStatistics: text, ticksPerSecond: 100) == nil)
  }
}
