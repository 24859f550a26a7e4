import Foundation
import Metrics

/// The circumstances that cast doubt on a result, and the part of it that may be chance.
enum ReportCaveats {
  /// Returns the reasons why the figures may be wrong, one sentence each.
  static func warnings(of result: ReportedResult) -> [String] {
    let manifest = result.manifest
    var warnings: [String] = []
    if manifest.configuration != "release", manifest.machine == "live" {
      warnings.append("This is a \(manifest.configuration) build, so the figures are not valid.")
    }
    if let idle = manifest.idleTicks, idle.isOverLimit {
      let late = MeasureText.of(Double(idle.latenessNanosecondsP99), .nanoseconds)
      warnings.append("The computer was too busy: idle ticks started \(late) late (p99), and the limit is 1 ms.")
    }
    if manifest.fileSystem.isTmpfs, manifest.machine == "live" {
      warnings.append("The store was in memory (\(manifest.fileSystem.type)), where syncs take no time.")
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
        "The figures are exact for the values of \(profile), and a run with \(result.roles.words.severalDraws) shows "
        + "on how many "
        + "devices within the profile's ranges the ranking is the same."
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
    return
      "On \(leading) of \(bands.drawCount) devices drawn from the ranges of \(profile), no stack has less hitch time "
      + "than \(best), and on \(holding) the whole ranking by hitch time is the same."
  }

  private static func liveCertainty(of result: ReportedResult) -> String {
    let trialCount = Set(result.trials.map(\.identity.trial)).count
    guard trialCount > 1 else {
      return
        "Each stack was run once, so that differences may be chance, and a run with "
        + "\(result.roles.words.severalTrials) shows "
        + "how much trials differ."
    }
    guard let separation = Separation(of: result.trials, by: RunPage.printedMeasures) else {
      return "The stack was run \(trialCount) times, and the figures are medians."
    }
    let apart = separation.pairCount - separation.alike.count
    return
      "Each stack was run \(trialCount) times, and in a column below \(apart) of \(separation.pairCount) pairs of "
      + "stacks "
      + "differ by at least 5 % and by more than the trials of either stack do."
  }
}
