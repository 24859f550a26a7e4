import Foundation
import Metrics
import Reporting
import TrialProcesses
import Yardstick

/// The trials of two programs in turns, and how fast the computer was around each.
package struct InterleavedTrials: Sendable {
  struct Side: Sendable {
    var title: String
    var program: ForeignProgram
  }

  /// Two.
  let sides: [Side]
  let pairs: Int
  /// Of each stack on either side of a pair, where the least disturbed half of them stands for all.
  let trialsPerSide: Int
  /// How many stacks `runFlags` ask for.
  let stackCount: Int
  let runFlags: [String]
  let scratch: String

  /// The most trials of a stack that `run` takes.
  package static let largestTrialCount = 1_000

  /// Of each stack, with one at the start that does not count: whatever is read for the first time is read there.
  var trialCount: Int { 1 + pairs * trialsPerSide }

  /// Starts both programs and lets their trials take turns, stack by stack: A B, B A, A B, …
  ///
  /// - Throws: `RunFailure` for the first trial that fails, naming its side; `CancellationError`.
  func run(_ progress: any ProgressDisplay) async throws -> (first: ComparedResult, second: ComparedResult) {
    let turns = [try TurnTakingRun(), try TurnTakingRun()]
    progress.show("\(sides[0].title), preparing")
    async let first = result(of: sides[0], turns[0], folder: "\(scratch)/results-a")
    guard try await turns[0].isReady() else { throw try await unfinished(first) }
    // Not before: each measures how quiet the machine is.
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
    return try await paired(first, second, speeds)
  }

  /// Brings the trials of each pair to a common speed, and leaves one trial a stack and pair.
  private func paired(
    _ first: ComparedResult, _ second: ComparedResult, _ speeds: TurnSpeeds
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

  /// The number of the pair that a trial belongs to, or nil of the first, which does not count.
  private func pair(of trial: TrialRecord) -> Int? {
    let number = trial.identity.trial
    return number > 1 ? (number - 2) / trialsPerSide + 1 : nil
  }

  /// What to say of a run that ended before its turns did and found nothing wrong; what it found is thrown.
  private func unfinished(_ result: ComparedResult) -> RunFailure {
    .failed("\(result.title): ended before all of its trials had their turns")
  }

  /// One `run` to its end.
  private func result(of side: Side, _ turns: TurnTakingRun, folder: String) async throws -> ComparedResult {
    let ended = try await side.program.run(
      ["run"] + runFlags + ["--trials", "\(trialCount)", "--idle-seconds", "1", "--take-turns", "--quiet"]
        + ["--output", folder], input: turns.input, output: turns.output)
    guard ended.status == 0 else {
      let complaint = ended.complaint ?? "ended with status \(ended.status) and said nothing"
      throw RunFailure(kind: RunFailure.Kind(rawValue: ended.status) ?? .failed, "\(side.title): \(complaint)")
    }
    do {
      var result = try ComparedResult(folder: folder, roles: SettingTable.standard.roles)
      result.title = side.title
      return result
    } catch {
      throw RunFailure.failed("\(side.title): its results cannot be read: \(error)")
    }
  }

  /// One trial a stack and pair, numbered as the pair.
  private func pairTrials(of trials: [TrialRecord]) -> [TrialRecord] {
    (1...pairs).flatMap { pair in
      let numbers = (2 + (pair - 1) * trialsPerSide)...(1 + pair * trialsPerSide)
      var standing = trials.filter { numbers.contains($0.identity.trial) }.leastDisturbed
      for index in standing.indices { standing[index].identity.trial = pair }
      return standing
    }
  }
}
