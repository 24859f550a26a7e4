import Experiments
import Testing
import TrialProcesses

@Suite struct FailureMessageTests {
  @Test(arguments: [
    (RunFailure.Setting.batchSize, "--batch-size"), (.outputFolder, "--output"),
    (.propertiesToFetch, "--properties-to-fetch"), (.saveEvery, "--save-every"), (.scratchFolder, "--scratch"),
    (.timeLimit, "--time-limit"),
  ])
  func `a message names a setting by its flag`(setting: RunFailure.Setting, flag: String) {
    let failure = RunFailure(kind: .failed, ["it failed; use ", .setting(setting), " 5"])
    #expect(failure.message == "it failed; use \(flag) 5")
    #expect(failure.during("all-main, trial 1").message == "all-main, trial 1: it failed; use \(flag) 5")
  }
}
