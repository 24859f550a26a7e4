import Testing

@testable import Experiments
@testable import Reporting

/// Tests of the number of trials that a live run chooses for the speed of the computer.
@Suite struct TrialCountTests {
  @Test(arguments: [
    (1_000_000, 5), (5_500_000, 5), (5_600_000, 4), (6_850_000, 4), (7_000_000, 3), (13_700_000, 3), (100_000_000, 3),
    (Int64.max, 3), (0, 5),
  ])
  func `a slower computer runs fewer trials, at least three`(yardstick: Int64, count: Int) {
    let choice = TrialCount.choice(yardstick: yardstick)
    #expect(choice.trials == count)
    #expect(choice.most == 5)
    #expect(choice.yardstickNanoseconds == yardstick)
  }

  @Test func `the fastest of five yardstick readings counts`() {
    var looks: [Int64] = [20_000_000, 7_000_000, 12_000_000, 7_100_000, 9_000_000]
    #expect(TrialCount.choice { looks.removeFirst() }.yardstickNanoseconds == 7_000_000)
    #expect(looks.isEmpty)
  }

  @Test func `only a live run without --trials chooses the number of trials`() throws {
    func chooses(_ arguments: String...) throws -> Bool {
      try RunRequest(arguments: arguments).experiment().choosesTrialCount
    }
    #expect(try chooses())
    #expect(try chooses("--rows", "100", "--topology", "all-main"))
    #expect(try !chooses("--trials", "5"))
    #expect(try !chooses("--machine", "simulated"))
    #expect(try !chooses("--take-turns"))
  }

  @Test func `the gate, sweeps and advice run a fixed number of trials`() throws {
    for run in GateRun.standard { #expect(try !run.experiment(output: "/x").choosesTrialCount) }
    let live = RunRequest().with(\.machine, .live)
    #expect(try !live.trialExperiment().choosesTrialCount)
    #expect(try live.trialExperiment().trials == 5)
    #expect(try !RunRequest().adviceExperiment().choosesTrialCount)
  }

  @Test func `the printed sentence has the chosen number of trials`() {
    #expect(
      TrialCount.choice(yardstick: 13_700_000).sentence(option: "--trials")
        == "Each stack was run 3 times instead of 5 times, because this computer is slow (its yardstick takes "
        + "13.7 ms). --trials sets the number.")
    #expect(
      TrialCount.choice(yardstick: 5_500_000).sentence(option: "--trials").hasPrefix(
        "Each stack was run 5 times, as on every fast"))
  }
}
