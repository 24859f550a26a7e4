import Reporting
import TrialProcesses

/// Simulates a run again in other circumstances, which must not change its results, and compares every result byte for
/// byte.
package struct DeterminismCheck {
  private let experiment: Experiment
  private let words: CommandWords
  private let children: Children

  /// The circumstances that differ each time: the way in which Swift hashes, and the cores of this computer on which
  /// the simulations run.
  private struct Circumstance {
    let name: String
    let environment: [String: String?]
    let hostCoreShift: Int
  }

  private static let circumstances = [
    Circumstance(
      name: "with deterministic hashing", environment: ["SWIFT_DETERMINISTIC_HASHING": "1"], hostCoreShift: 1),
    Circumstance(name: "with random hashing", environment: ["SWIFT_DETERMINISTIC_HASHING": nil], hostCoreShift: 0),
  ]

  /// Creates the check of an experiment that has been run and whose results have been written.
  ///
  /// - Parameters:
  ///   - experiment: The experiment.
  ///   - words: The words of the command line that its results use.
  ///   - children: The child processes that simulate again.
  init(_ experiment: Experiment, words: CommandWords, children: Children) {
    self.experiment = experiment
    self.words = words
    self.children = children
  }

  /// The outcome of the check, with a line that describes it.
  package enum Outcome: Sendable {
    case same(String)
    case different(String)
  }

  /// Simulates everything twice more, which takes twice as long as the run itself. The check ends at the first
  /// difference.
  ///
  /// - Parameter failures: The failures of the run that is checked.
  /// - Returns: `same` if all results and failures are the same each time, and otherwise `different`.
  /// - Throws: `RunFailure` if a simulation cannot be repeated or the results cannot be compared; `CancellationError`.
  func run(failures: [String]) async throws -> Outcome {
    for (number, circumstance) in Self.circumstances.enumerated() {
      if let difference = try await difference(circumstance, number: number, failures: failures) {
        return .different("not deterministic, \(circumstance.name): \(difference)")
      }
    }
    let fingerprint = try manifest.fingerprint ?? ""
    let trials = experiment.scheduledTrials.count
    return .same(
      "deterministic: \(trials) trial\(trials == 1 ? "" : "s"), simulated \(Self.circumstances.count + 1) times, "
        + "gave the same bytes; fingerprint \(fingerprint)")
  }

  private func difference(
    _ circumstance: Circumstance, number: Int, failures: [String]
  ) async throws -> String? {
    var repeated = experiment
    repeated.output = try children.scratch.makeFolder("repeated-\(number)")
    repeated.scratchParent = children.scratch.path
    repeated.hostCoreShift = circumstance.hostCoreShift
    repeated.checksDeterminism = false
    repeated.movesEarlierResult = false
    repeated.keepsEndedTrials = false
    defer { children.scratch.removeFolder(repeated.output) }
    let answer: RepeatTask.Answer
    do {
      answer = try await children.answer(
        of: RepeatTask.self, to: RepeatTask.Plan(experiment: repeated, words: words), timeLimit: nil,
        environment: circumstance.environment)
    } catch let failure as RunFailure {
      throw failure.during("simulating again \(circumstance.name)")
    }
    do {
      let found = try ResultsDifference.between(
        ResultsFolder(path: experiment.output), and: ResultsFolder(path: repeated.output))
      if let found { return "\(found)" }
    } catch {
      throw RunFailure.failed("the results cannot be compared: \(error)")
    }
    guard answer.failures != failures else { return nil }
    return "it ended with \(answer.failures.isEmpty ? "no failure" : answer.failures.joined(separator: "; "))"
  }

  private var manifest: Manifest {
    get throws {
      do {
        return try ResultsFolder(path: experiment.output).manifest()
      } catch {
        throw RunFailure.failed("\(error)")
      }
    }
  }
}
