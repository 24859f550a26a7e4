import Foundation
import Metrics

/// What casts doubt on a result, and how much of it may be chance.
enum ReportCaveats {
  /// Reasons not to believe the figures.
  static func warnings(of result: ReportedResult) -> [String] {
    let manifest = result.manifest
    var warnings: [String] = []
    if manifest.configuration != "release", manifest.machine == "live" {
      warnings.append("This is a \(manifest.configuration) build: no figure means anything.")
    }
    if let idle = manifest.idleTicks, idle.isOverLimit {
      let late = MeasureText.of(Double(idle.latenessNanosecondsP99), .nanoseconds)
      warnings.append("The host was too busy: idle ticks started \(late) late (p99), more than 1 ms.")
    }
    if manifest.fileSystem.isTmpfs, manifest.machine == "live" {
      warnings.append("The store lay in memory (\(manifest.fileSystem.type)): syncs cost nothing there.")
    }
    return warnings
  }

  /// What the figures rest on.
  static func notes(of result: ReportedResult) -> [String] {
    let trialCount = Set(result.trials.map(\.identity.trial)).count
    if result.manifest.machine == "simulated" {
      let profile = result.manifest.profile ?? "the profile"
      return [
        "Simulated: exact, as far as the profile is right. The constants of \(profile) have ranges"
          + (result.draws.isEmpty ? "; --draws 20 tells how often the ranking holds within them." : ".")
      ]
    }
    guard trialCount > 1 else {
      return ["One trial of each stack: what differs may be chance; --trials 5 tells how far trials lie apart."]
    }
    let separation = Separation(of: result.trials, by: TerminalReport.printedMeasures)
    guard let separation else { return ["\(trialCount) trials of each stack."] }
    let apart = separation.pairCount - separation.alike.count
    return [
      "\(trialCount) trials of each stack; medians 5 % and more than their trials apart tell \(apart) of "
        + "\(separation.pairCount) pairs of stacks apart in a column below."
    ]
  }
}
