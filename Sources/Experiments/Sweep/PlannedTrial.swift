import Foundation
import TrialProcesses

/// One line of a sweep's plan: a trial that any process on any host can run, with nothing but this line.
package struct PlannedTrial: Codable, Hashable, Sendable {
  /// A flag and its value at this point of the grid.
  struct Setting: Codable, Hashable, Sendable {
    var flag: String
    var value: String
  }

  /// Sixteen hexadecimal digits that stand for all lines of the plan, so that results of two plans never mix.
  var plan = ""
  /// The version of this program: another one may simulate otherwise.
  var tool = PackageVersions.tool
  /// Counted from 1; the number of the line.
  var index: Int
  /// How many lines the plan has.
  var count = 0
  /// The settings at this point of the grid, as arguments of `stackbench run`.
  var arguments: [String]
  /// The varied flags in their order.
  var varied: [Setting]
  /// Which of the run's trials this is.
  var topology: String
  /// Counted from 1 within the topology.
  var trial: Int
  /// What it read when it was planned.
  var inputs: TrialInputs

  /// As messages name it.
  var title: String {
    let settings = varied.filter { $0.flag != "topology" }.map { "\($0.flag) \($0.value)" }
    return (settings + [topology, "trial \(trial)"]).joined(separator: ", ")
  }
}

// MARK: - Checks

extension PlannedTrial {
  /// The flaw of the trial's place in its plan, or nil if there is none.
  var flaw: String? {
    guard (1...SweepPlan.largestCount).contains(count) else {
      return "count: \(count) is out of range; use 1 to \(SweepPlan.largestCount)"
    }
    guard (1...count).contains(index) else { return "index: \(index) is out of range; use 1 to \(count)" }
    let flags = varied.map(\.flag)
    guard !flags.isEmpty, !flags.contains(""), Set(flags).count == flags.count else {
      return "varied: is not a list of different flags; use at least one flag and its value"
    }
    return nil
  }
}

// MARK: - Text

extension PlannedTrial {
  /// The line, without its end; the same bytes for the same trial.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and integers only: nothing that cannot be encoded.
    guard let data = try? encoder.encode(self) else { fatalError("a trial of a plan cannot be encoded") }
    return String(decoding: data, as: UTF8.self)
  }
}

// MARK: - Running

extension PlannedTrial {
  /// Returns the run that this trial is part of.
  ///
  /// - Throws: `RunFailure` with status 64 for settings that `run` would refuse.
  func experiment() throws -> Experiment {
    try RunRequest(arguments: arguments).trialExperiment()
  }

  /// Prepares the workload and runs the trial, in children; what it made in `folder` is gone when it ends.
  ///
  /// - Parameters:
  ///   - scratch: where the stores live; nil = in `folder`.
  ///   - core: the core of this computer for a simulation's threads; nil = where it happens to begin.
  /// - Throws: `RunFailure` if nothing came of it, or its feed or profile has changed; `CancellationError` when
  ///   interrupted.
  package func run(in folder: OutputFolder, scratch: String?, core: Int? = nil) async throws -> TrialResult {
    var experiment = try experiment()
    experiment.scratchParent = scratch
    guard let turn = experiment.turns.first(where: { $0.topology.title == topology && $0.trial == trial }) else {
      throw RunFailure.usage("\(title): not among the trials of its own run; write the plan anew")
    }
    var reader = TrialInputs.Reader()
    if let changed = inputs.difference(from: reader.inputs(of: experiment)) {
      throw RunFailure.usage("\(title): \(changed) is not what the plan was made of; write the plan anew")
    }
    let outcome = try await ExperimentRun(experiment, output: folder).runAlone(turn, core: core)
    guard var record = outcome.record else {
      throw RunFailure.failed(outcome.failure ?? "\(title): failed")
    }
    // A sweep has no charts of single frames.
    record.frames = []
    record.stalls = []
    return TrialResult(trial: self, record: record, failure: outcome.failure)
  }
}
