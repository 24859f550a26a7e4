import Harness
import MachineSimulated
import Profiles
import TrialProcesses
import Workloads

/// What is simulated for an answer beside the given point: others, each with one flag changed.
package struct AdvicePlan: Sendable {
  struct Point: Hashable, Sendable {
    var flag: String
    var value: String
    var request: RunRequest
  }

  let points: [Point]
  /// What would have been a point and is none, a sentence each.
  let untried: [String]

  /// - Parameter workload: the given one with a feed's own size filled in; nil = it has no feed.
  /// - Throws: `RunFailure` with status 64 for flags that `run` would refuse, at the given point or beside it.
  package init(around given: RunRequest, workload: WorkloadOptions? = nil) throws {
    var experiment = try given.adviceExperiment()
    experiment.workload = workload ?? experiment.workload
    let parts = [
      Self.batchSizes(around: given, experiment), Self.saveIntervals(around: given, experiment),
      try Self.profiles(around: given, experiment),
    ]
    points = parts.flatMap(\.points)
    untried = parts.flatMap(\.untried)
    for point in points { _ = try point.request.adviceExperiment() }
  }

  private struct Part {
    var points: [Point] = []
    var untried: [String] = []

    /// Adds a point with one setting changed.
    mutating func add<Value>(
      _ setting: KeyPath<RunSettings, Setting<Value>>, _ value: Value, to request: RunRequest
    ) {
      let changed = request.with(setting, value)
      let name = RunSettings.all[keyPath: setting].name
      points.append(Point(flag: name, value: changed[named: name]?.text ?? "", request: changed))
    }
  }
}

// MARK: - Half and double

extension AdvicePlan {
  private static func batchSizes(around given: RunRequest, _ experiment: Experiment) -> Part {
    let size = experiment.workload.batchSize
    var part = Part()
    func add(_ value: Int) {
      // A unit is part of a payload.
      let isUnitLarger = !experiment.isSaveEveryStandard && experiment.options.saveEvery > value
      part.add(\.batchSize, value, to: isUnitLarger ? given.with(\.saveEvery, value) : given)
    }
    if size > 1 { add(size / 2) }
    let double = min(size * 2, experiment.workload.rows ?? .max)
    if double > size {
      add(double)
    } else {
      part.untried.append("A payload of \(size) records is the whole import, so no larger one was tried.")
    }
    return part
  }

  private static func saveIntervals(around given: RunRequest, _ experiment: Experiment) -> Part {
    let size = experiment.isSaveEveryStandard ? experiment.workload.batchSize : experiment.options.saveEvery
    var part = Part()
    if size > 1 { part.add(\.saveEvery, size / 2, to: given) }
    if size * 2 <= experiment.workload.batchSize {
      part.add(\.saveEvery, size * 2, to: given)
    } else {
      part.untried.append(
        "\(SettingFlag.of(\.saveEvery, size * 2)) would be over the payload's \(experiment.workload.batchSize) records and was not tried."
      )
    }
    return part
  }
}

// MARK: - Devices

extension AdvicePlan {
  /// From which ratio of their cores' speeds on two devices are worth telling apart.
  private static let leastSpeedRatio = 1.2

  /// The next slower and the next faster of the shipped phones and tablets, by the speed of one core.
  private static func profiles(around given: RunRequest, _ experiment: Experiment) throws -> Part {
    var part = Part()
    guard let profile = experiment.simulation?.profile else { return part }
    guard profile.shape != nil, let speed = profile.speed?.value else {
      part.untried.append("\(profile.name) does not run Core Data, so no slower or faster profile was tried.")
      return part
    }
    let shipped = try ProfileLibrary.handheldNames.compactMap { name in
      try UserInput.profile(named: name).speed.map { (name, $0.value) }
    }
    let slower = shipped.filter { $0.1 > speed * leastSpeedRatio }.map(\.1).min()
    let faster = shipped.filter { $0.1 * leastSpeedRatio < speed }.map(\.1).max()
    for (neighbour, word) in [(slower, "slower"), (faster, "faster")] {
      // Of equally fast ones the first of the list.
      if let name = shipped.first(where: { $0.1 == neighbour })?.0 {
        part.add(\.profile, name, to: given)
      } else {
        part.untried.append("No shipped profile is \(word) than \(profile.name).")
      }
    }
    return part
  }
}
