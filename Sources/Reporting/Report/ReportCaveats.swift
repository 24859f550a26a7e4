import Foundation
import Metrics

/// The circumstances that cast doubt on a result, and the part of it that may be chance.
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

  /// Returns the sentence that says how much of the result may be chance.
  static func certainty(of result: ReportedResult, _ ranking: AdviceRanking) -> String {
    result.manifest.machine == "simulated"
      ? simulatedCertainty(of: result, ranking) : liveCertainty(of: result)
  }

  private static func simulatedCertainty(of result: ReportedResult, _ ranking: AdviceRanking) -> String {
    let profile = result.manifest.profile ?? "its profile"
    guard !result.draws.isEmpty else {
      return
        "The figures are exact as far as \(profile) is right, and a run with \(result.roles.words.severalDraws) shows how "
        + "often the ranking holds within the ranges of its constants."
    }
    let hitch: [any KeyPath<TrialMeasures, Int64?> & Sendable] = [\.hitchTotalNanoseconds]
    let bands = DrawBands(of: result.draws, values: result.summaries, by: hitch)
    guard result.summaries.count > 1, let best = ranking.leaders.first, let holding = bands.measures[0].holdingCount
    else {
      return "The figures are medians over \(bands.drawCount) devices drawn from the ranges of \(profile)."
    }
    let numbers = Set(result.draws.compactMap { $0.simulation?.draw })
    let leading = numbers.count { number in
      let trials = result.draws.filter { $0.simulation?.draw == number }
      let least = trials.compactMap(\.measures.hitchTotalNanoseconds).min()
      return trials.contains { $0.identity.name == best && $0.measures.hitchTotalNanoseconds == least }
    }
    return "On \(leading) of \(bands.drawCount) devices drawn from the ranges of \(profile) no stack hitches less than "
      + "\(best), and the whole ranking by hitches holds on \(holding)."
  }

  private static func liveCertainty(of result: ReportedResult) -> String {
    let trialCount = Set(result.trials.map(\.identity.trial)).count
    guard trialCount > 1 else {
      return
        "Each stack was run once, so that what differs may be chance, and \(result.roles.words.severalTrials) shows how "
        + "far trials lie apart."
    }
    guard let separation = Separation(of: result.trials, by: RunPage.printedMeasures) else {
      return "The stack was run \(trialCount) times, and the figures are medians."
    }
    let apart = separation.pairCount - separation.alike.count
    return
      "Each stack was run \(trialCount) times, and \(apart) of \(separation.pairCount) pairs of stacks differ, in a "
      + "column below, by more than 5 % and more than their own trials do."
  }
}
