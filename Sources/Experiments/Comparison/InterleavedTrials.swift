import Foundation
import Metrics
import Reporting
import TrialProcesses
import Yardstick

/// Runs the trials of two programs in turns, and measures the computer's speed before and after each trial.
package struct InterleavedTrials: Sendable {
  /// A program whose trials are run, and its name in messages.
  struct Side: Sendable {
    var title: String
    var program: ForeignProgram
  }

  /// The two sides.
  let sides: [Side]
  /// The number of pairs of each stack.
  let pairs: Int
  /// The number of trials of each stack on either side of a pair. The mean of the least disturbed half represents them.
  let trialsPerSide: Int
  /// The number of stacks that `runFlags` ask for.
  let stackCount: Int
  /// The arguments of `run` for both sides.
  let runFlags: [String]
  /// The path of the folder in which both sides write their results.
  let scratch: String
  /// The words of the command line that sentences on the results use.
  let words: CommandWords

  /// The largest number of trials of a stack that `run` accepts.
  package static let largestTrialCount = 1_000

  /// The number of trials of each stack on either side.
  ///
  /// The first trial does not count, because it reads files and code for the first time.
  var trialCount: Int { 1 + pairs * trialsPerSide }

  /// Starts both programs and lets their trials take turns, stack by stack: A B, B A, A B, …
  ///
  /// - Returns: The results of both sides, with one trial for each stack and pair.
  /// - Throws: `RunFailure` for the first trial that fails, naming its side; `CancellationError` if the task is
  ///   cancelled.
  func run(_ progress: any ProgressDisplay) async throws -> (first: ComparedResult, second: ComparedResult) {
    let turns = [try TurnTakingRun(), try TurnTakingRun()]
    progress.show("\(sides[0].title), preparing")
    async let first = result(of: sides[0], turns[0], folder: "\(scratch)/results-a")
    guard try await turns[0].isReady() else { throw try await unfinished(first) }
    // The second side starts only after the first is ready, because each measures how quiet the machine is.
    progress.show("\(sides[1].title), preparing")
    async let second = result(of: sides[1], turns[1], folder: "\(scratch)/results-b")
    guard try await turns[1].isReady() else { throw try await unfinished(second) }

    var speeds = TurnSpeeds()
    speeds.add(YardstickWork.measure(), after: nil)
    let timeLeft = TimeLeft(trials: pairs)
    let stepCount = trialCount * stackCount
    for step in 0..<stepCount {
      let trial = step / stackCount
      let pairsDone = max(0, trial - 1) / trialsPerSide
      progress.show("pair \(pairsDone + 1) of \(pairs)\(timeLeft.text(done: pairsDone))")
      for place in trial % 2 == 1 ? [0, 1] : [1, 0] {
        turns[place].begin()
        if try await !turns[place].isReady(), step < stepCount - 1 {
          throw try await unfinished(place == 0 ? first : second)
        }
        speeds.add(YardstickWork.measure(), after: place)
      }
    }
    return try await paired(first, with: second, speeds: speeds)
  }

  /// Returns the results with the trials of each pair at a common speed, reduced to one trial for each stack and pair.
  ///
  /// Speeds stay as they were measured if one of the sides has no yardsticks.
  private func paired(
    _ first: ComparedResult, with second: ComparedResult, speeds: TurnSpeeds
  ) -> (first: ComparedResult, second: ComparedResult) {
    var (first, second) = (first, second)
    if let before = speeds.measured(first.trials, of: 0), let after = speeds.measured(second.trials, of: 1) {
      (first.trials, second.trials) = TurnSpeeds.atCommonSpeed(before, after, pair: pair(of:))
      first.turnDrift = speeds.drift
    }
    first.trials = pairTrials(of: first.trials)
    second.trials = pairTrials(of: second.trials)
    return (first, second)
  }

  /// Returns the number of the pair to which a trial belongs, or nil for the first trial, which does not count.
  private func pair(of trial: TrialRecord) -> Int? {
    let number = trial.identity.trial
    return number > 1 ? (number - 2) / trialsPerSide + 1 : nil
  }

  /// Returns the failure for a run that succeeded, but ended before all of its trials had their turns. If the run
  /// failed, waiting for its result has already thrown its error.
  private func unfinished(_ result: ComparedResult) -> RunFailure {
    .failed("\(result.title): ended before all of its trials had run")
  }

  /// Executes `run` with the program of a side, waits until it ends, and reads its results.
  ///
  /// - Throws: `RunFailure` with the side's name and the run's last line of error output if the run fails, or if its
  ///   results cannot be read.
  private func result(of side: Side, _ turns: TurnTakingRun, folder: String) async throws -> ComparedResult {
    let ended = try await side.program.run(
      ["run"] + runFlags + ["--trials", "\(trialCount)", "--idle-seconds", "1", "--take-turns", "--quiet"]
        + ["--output", folder], environment: SettingsFile.asideEnvironment, input: turns.input, output: turns.output)
    guard ended.status == 0 else {
      let complaint = ended.complaint ?? "ended with status \(ended.status) and no message"
      throw RunFailure(kind: RunFailure.Kind(rawValue: ended.status) ?? .failed, "\(side.title): \(complaint)")
    }
    do {
      var result = try ComparedResult(folder: folder, roles: SettingTable.standard.roles(words))
      result.title = side.title
      return result
    } catch {
      throw RunFailure.failed("\(side.title): its results cannot be read: \(error)")
    }
  }

  /// Returns one trial for each stack and pair, which has the number of the pair.
  private func pairTrials(of trials: [TrialRecord]) -> [TrialRecord] {
    (1...pairs).flatMap { pair in
      let numbers = (2 + (pair - 1) * trialsPerSide)...(1 + pair * trialsPerSide)
      var standing = trials.filter { numbers.contains($0.identity.trial) }.leastDisturbed
      for index in standing.indices { standing[index].identity.trial = pair }
      return standing
    }
  }
}
