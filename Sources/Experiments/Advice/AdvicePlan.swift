import Harness
import InputFiles
import MachineSimulated
import TrialProcesses
import Workloads

/// The neighbouring points that are simulated for an answer in addition to the given point. Each differs from the given
/// point in one flag.
///
/// The points fill the store that a feed is imported into, or empty it. They change the mix of generated records, the
/// screens, the rows on each screen and the batches of their fetches. They halve and double the batch size and the save
/// interval, and replace the profile by the next slower and the next faster device. A batch size below the given save
/// interval also lowers the save interval.
package struct AdvicePlan: Sendable {
  struct Point: Hashable, Sendable {
    var flag: String
    var value: String
    var request: RunRequest
    /// True if the point is as likely to be the user's question as the given one, so that devices are drawn for it too.
    var isSecondQuestion = false
  }

  let points: [Point]
  /// The points that were left out and the reasons, one sentence each.
  let untried: [String]

  /// Creates the neighbouring points of a given point.
  ///
  /// - Parameters:
  ///   - given: The settings of the given point.
  ///   - workload: The workload of the given point, with the size of a feed that has been read, or nil to use the
  ///     workload that the settings describe.
  /// - Throws: `RunFailure` with status 64 if `run` would refuse the flags of the given point or of a neighbouring one.
  package init(around given: RunRequest, workload: WorkloadOptions? = nil) throws {
    var experiment = try given.adviceExperiment()
    experiment.workload = workload ?? experiment.workload
    let parts = [
      Self.rows(around: given, experiment), Self.screens(around: given, experiment),
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
      _ setting: KeyPath<RunSettings, Setting<Value>>, value: Value, to request: RunRequest,
      isSecondQuestion: Bool = false
    ) {
      let changed = request.with(setting, value)
      let name = RunSettings.all[keyPath: setting].name
      points.append(
        Point(
          flag: name, value: changed[named: name]?.text ?? "", request: changed, isSecondQuestion: isSecondQuestion))
    }
  }
}

// MARK: - Rows and screens

extension AdvicePlan {
  /// Returns the point with a store that has a row for each record of a feed, or none if the given store has some. A
  /// generated workload gets insertions only. A store of the user's own keeps its rows.
  private static func rows(around given: RunRequest, _ experiment: Experiment) -> Part {
    var part = Part()
    if given.workload?.isFeed == true {
      guard given.store == nil else { return part }
      let isEmpty = experiment.workload.existingRows == .count(0)
      part.add(\.existingRows, value: isEmpty ? .everyRecord : .count(0), to: given, isSecondQuestion: true)
    } else if experiment.workload.mix != .insertsOnly {
      part.add(\.mix, value: .insertsOnly, to: given)
    }
    return part
  }

  private static func screens(around given: RunRequest, _ experiment: Experiment) -> Part {
    let options = experiment.options
    var part = Part()
    part.add(\.viewControllers, value: options.viewControllers == 1 ? 3 : 1, to: given)
    if (1...5_000).contains(options.visibleRows) { part.add(\.visibleRows, value: options.visibleRows * 2, to: given) }
    part.add(\.fetchBatchSize, value: options.fetchBatchSize == 0 ? RunOptions().fetchBatchSize : 0, to: given)
    return part
  }
}

// MARK: - Half and double

extension AdvicePlan {
  private static func batchSizes(around given: RunRequest, _ experiment: Experiment) -> Part {
    let size = experiment.workload.batchSize
    var part = Part()
    func add(_ value: Int) {
      // A unit of work cannot be larger than a payload, so a larger save interval is lowered as well.
      let isUnitLarger = !experiment.isSaveEveryStandard && experiment.options.saveEvery > value
      part.add(\.batchSize, value: value, to: isUnitLarger ? given.with(\.saveEvery, value) : given)
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
    if size > 1 { part.add(\.saveEvery, value: size / 2, to: given) }
    if size * 2 <= experiment.workload.batchSize {
      part.add(\.saveEvery, value: size * 2, to: given)
    } else {
      part.untried.append(
        "\(SettingFlag.of(\.saveEvery, value: size * 2)) would exceed the payload's \(experiment.workload.batchSize) "
          + "records and was not tried."
      )
    }
    return part
  }
}

// MARK: - Devices

extension AdvicePlan {
  /// The ratio between the speeds of one core above which two devices count as differently fast.
  private static let leastSpeedRatio = 1.2

  /// Returns the points on the next slower and the next faster of the shipped phones and tablets, by the speed of one
  /// core.
  ///
  /// A speed is the time that a reference instruction takes, so a slower device has a larger value.
  private static func profiles(around given: RunRequest, _ experiment: Experiment) throws -> Part {
    var part = Part()
    guard let profile = experiment.simulation?.profile else { return part }
    guard profile.shape != nil, let speed = profile.speed?.value else {
      part.untried.append("\(profile.name) is not a device with Core Data, so no slower or faster profile was tried.")
      return part
    }
    let shipped = try ProfileLibrary.handheldNames.compactMap { name in
      try UserInput.profile(named: name).speed.map { (name, $0.value) }
    }
    let slower = shipped.filter { $0.1 > speed * leastSpeedRatio }.map(\.1).min()
    let faster = shipped.filter { $0.1 * leastSpeedRatio < speed }.map(\.1).max()
    for (neighbour, word) in [(slower, "slower"), (faster, "faster")] {
      // Several profiles may be equally fast: take the first in the list.
      if let name = shipped.first(where: { $0.1 == neighbour })?.0 {
        part.add(\.profile, value: name, to: given)
      } else {
        part.untried.append("No shipped profile is \(word) than \(profile.name).")
      }
    }
    return part
  }
}
