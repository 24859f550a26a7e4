import Foundation
import OutputFiles
import TrialProcesses

/// One line of a sweep's plan. It describes a trial completely, so that any process on any host can run it.
package struct PlannedTrial: Codable, Hashable, Sendable {
  /// A flag and its value at this point of the grid.
  struct Setting: Codable, Hashable, Sendable {
    var flag: String
    var value: String
  }

  /// The identifier of the plan: sixteen hexadecimal digits, a hash of all its lines. It keeps results of different
  /// plans apart.
  var plan = ""
  /// The version of the program that planned the trial. Another version may give other results.
  var tool = PackageVersions.tool
  /// The number of the line in the plan, counted from 1.
  var index: Int
  /// The number of lines in the plan.
  var count = 0
  /// The settings at this point of the grid, as arguments of `stackbench run`.
  var arguments: [String]
  /// The varied flags and their values, in the order in which the sweep varies them.
  var varied: [Setting]
  /// The title of the stack that the trial runs.
  package var topology: String
  /// The number of the trial among those with the same stack, counted from 1.
  var trial: Int
  /// The number of the device that is drawn from the profile's ranges, or nil for the device with the profile's own
  /// values.
  var draw: Int?
  /// The digests of the feed and the profile, taken when the trial was planned.
  var inputs: TrialInputs

  /// The name of the trial in messages.
  var title: String {
    let settings = varied.filter { $0.flag != "topology" }.map { "\($0.flag) \($0.value)" }
    return (settings + [topology, draw.map { "draw \($0)" } ?? "trial \(trial)"]).joined(separator: ", ")
  }
}

// MARK: - Arguments

extension PlannedTrial {
  /// Returns the value of a flag in the arguments, or nil if they do not have the flag.
  func argument(of flag: String) -> String? {
    let start = "\(SettingFlag.named(flag))="
    return arguments.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
  }
}

// MARK: - Checks

extension PlannedTrial {
  /// A message about an invalid count, index or list of flags, or nil if these are valid.
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
  /// The trial as one line of JSON, without a line break. Equal trials have the same bytes.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // All values are strings and integers, which can always be encoded.
    guard let data = try? encoder.encode(self) else { fatalError("a trial of a plan cannot be encoded") }
    return String(decoding: data, as: UTF8.self)
  }
}

// MARK: - Running

extension PlannedTrial {
  /// Returns the run that contains this trial.
  ///
  /// - Throws: `RunFailure` with status 64 for settings that `run` would refuse.
  func experiment() throws -> Experiment {
    try RunRequest(arguments: arguments).trialExperiment()
  }

  /// Prepares the workload and runs the trial, both in child processes, and removes all files that were made for it in
  /// `folder`.
  ///
  /// - Parameters:
  ///   - folder: The folder for the trial's temporary files.
  ///   - scratch: The folder for the stores, or nil to put them into `folder`.
  ///   - core: The core of this computer for the threads of a simulation, or nil for the core on which the simulation
  ///     begins.
  /// - Returns: The result of the trial, without its single frames and stalls.
  /// - Throws: `RunFailure` if the trial has no record, or if its feed or profile has changed since it was planned;
  ///   `CancellationError` when interrupted.
  package func run(in folder: OutputFolder, scratch: String?, core: Int? = nil) async throws -> TrialResult {
    var experiment = try experiment()
    experiment.scratchParent = scratch
    guard
      let scheduledTrial = experiment.scheduledTrials.first(where: {
        $0.topology.title == topology && $0.trial == trial && $0.draw == draw
      })
    else {
      throw RunFailure.usage("\(title): not among the trials of its own run; write the plan again")
    }
    var reader = TrialInputs.Reader()
    if let changed = inputs.difference(from: reader.inputs(of: experiment)) {
      throw RunFailure.usage("\(title): \(changed) is not the one of the plan; write the plan again")
    }
    let outcome = try await ExperimentRun(experiment, output: folder).runAlone(scheduledTrial, core: core)
    guard var record = outcome.record else {
      throw RunFailure.failed(outcome.failure ?? "\(title): failed")
    }
    // The results of a sweep include no charts of single frames.
    record.frames = []
    record.stalls = []
    return TrialResult(trial: self, record: record, failure: outcome.failure)
  }
}
