import Foundation
import Metrics

/// A comparison of one of the gate's runs with the baseline.
package struct GateComparison: Hashable, Sendable {
  /// A stack that is in the baseline and in the run.
  package struct Stack: Hashable, Sendable {
    package let topology: String
    package let variant: String?
    /// The changes of the measures that were taken both times, in the order of the measures.
    package let changes: [GateChange]
    /// The change of Apple's band, or nil if the stack's hitch time is in the same band as in the baseline or was not
    /// measured.
    package let band: GateBandChange?
    package let explanation: GateExplanation

    /// `topology/variant`, or the topology alone.
    package var name: String { variant.map { "\(topology)/\($0)" } ?? topology }

    package func changes(_ verdict: GateChange.Kind) -> [GateChange] { changes.filter { $0.verdict == verdict } }
  }

  package let run: String
  package let mismatches: [GateMismatch]
  /// The number of draws that the means are taken over, or 0 for a run without draws or with circumstances that cannot
  /// be compared.
  package let drawCount: Int
  /// The stacks that both have, in the baseline's order.
  package let stacks: [Stack]
  /// The stacks and settings that have changed since the baseline and whose effect is judged, one line each.
  package private(set) var changed: [String] = []
  /// The limits of the run with the values of each stack. The list is empty if the run failed.
  package private(set) var limits: [GateLimitResult] = []
  /// The measures of each stack as they are now. The list is empty if the run has no results.
  package private(set) var figures: [GateFigure] = []

  package init(run: String, mismatches: [GateMismatch], stacks: [Stack] = []) {
    self.run = run
    self.mismatches = mismatches
    drawCount = 0
    self.stacks = stacks
  }
}

extension GateComparison {
  /// Returns the comparison with the limits of the run and the figures of its first look.
  ///
  /// A run that failed, or whose data did not verify, is not held to its limits.
  ///
  /// - Throws: `GateLimitError` if a stack has no value of a measure with a limit.
  package func judging(_ limits: [GateLimit], in results: GateResults) throws(GateLimitError) -> GateComparison {
    var judged = self
    judged.figures = GateFigure.figures(of: results, limits: limits)
    guard !mismatches.contains(where: { $0.kind == .unverified }) else { return judged }
    for stack in results.stackNames {
      for limit in limits {
        guard let result = GateLimitResult(of: stack, limit, in: results) else {
          throw GateLimitError(limit: limit, stack: stack)
        }
        judged.limits.append(result)
      }
    }
    return judged
  }

  /// True if a measure is better or worse.
  package var hasMoved: Bool {
    stacks.contains { !$0.changes(.worse).isEmpty || !$0.changes(.better).isEmpty }
  }
}

// MARK: - Comparing

extension GateComparison {
  /// Creates the comparison of a run's results with the baseline.
  ///
  /// Figures from different circumstances are not judged: if the manifests do not match, `stacks` is empty.
  ///
  /// - Parameters:
  ///   - run: The name of the run.
  ///   - flags: The flags that the run itself gives, without dashes. A difference in any other flag that the baseline
  ///     does not record is ignored: the flag came with a later version, and if its default had changed what is
  ///     measured, that version would have changed the default.
  ///   - roles: The roles of the settings that manifests record.
  ///   - judged: The settings whose changes are judged, in addition to those that determine how a stack works. A change
  ///     of any other setting changes the question, and nothing is compared.
  ///   - before: The results of the baseline.
  ///   - now: The results of the run.
  ///   - again: The results of the same run on further draws, or nil if it was simulated once only. A measure is worse
  ///     or better only if both looks agree.
  ///   - tolerances: The changes of the measures that a user does not notice.
  ///   - noise: The changes of the measures that chance explains.
  ///   - failures: The messages on failures during the run.
  package init(
    of run: String, flags: Set<String> = [], roles: SettingRoles, judged: Set<String> = [], before: GateResults,
    now: GateResults, again: GateResults? = nil,
    tolerances: Tolerances, noise: GateNoise = GateNoise(), failures: [String] = []
  ) {
    self.run = run
    let unlike =
      Self.unlike(before: before, now: now.manifest, flags: flags, roles: roles, judged: judged) + now.mismatches
    let failed = failures.map { GateMismatch(.unverified, $0) }
    guard unlike.isEmpty else {
      mismatches = failed + unlike
      drawCount = 0
      stacks = []
      return
    }
    let pairs = Self.pairs(before: before, now: now)
    let differences = Self.differences(before: before.manifest, now: now.manifest, flags: flags, roles: roles).filter {
      Self.isJudged($0, judged: judged)
    }
    // A setting of the workload may have changed which records are imported.
    let dataSettings = differences.filter { $0.kind == .setting(.workload) }.map(\.title)
    mismatches =
      failed + Self.rowMismatches(before: before, now: now, pairs: pairs)
      + Self.unverified(before, time: "in the baseline")
      + (failed.isEmpty ? Self.unverified(now, time: "now") : [])
      + pairs.flatMap { Self.measureMismatches(before: $0, now: $1, dataSettings: dataSettings) }
      + Self.drawMismatches(before: before, now: now)
    let looks = [now, again].compactMap(\.self)
    drawCount = Set(looks.flatMap(\.draws).map(\.identity.trial)).count
    let judge = Judge(before: before, tolerances: tolerances, noise: noise)
    stacks = pairs.map { old, new in
      let names = GateSamples.Names(before: old.identity.name, now: new.identity.name)
      let pooled = judge.changes(of: names, looks.count > 1 ? now.adding(looks[1]) : now)
      let single = looks.map { judge.changes(of: names, $0) }
      let changes = pooled.map { change in
        change.confirmed(by: single.compactMap { look in look.first { $0.measure == change.measure } })
      }
      return Stack(
        topology: new.identity.topology, variant: new.identity.variant, changes: changes,
        band: GateBandChange(changes, scale: HitchScale(ofRunWith: now.manifest)),
        explanation: GateExplanation(
          of: changes, charged: (before.manifest.charges(of: old.identity), now.manifest.charges(of: new.identity))))
    }
    changed = Self.renamed(pairs) + differences.map(Self.text)
  }

  /// Returns the stacks of the baseline, each with the stack that it is now, in the baseline's order.
  ///
  /// Stacks with the same name belong together. If as many stacks are left over on both sides, the first of the baseline
  /// has become the first of the run, and so on.
  private static func pairs(before: GateResults, now: GateResults) -> [(old: Summary, new: Summary)] {
    let gone = before.summaries.filter { !now.stackNames.contains($0.identity.name) }
    let added = now.summaries.filter { !before.stackNames.contains($0.identity.name) }
    return before.summaries.compactMap { old in
      if let same = now.summaries.first(where: { $0.identity.name == old.identity.name }) { return (old, same) }
      guard gone.count == added.count, let place = gone.firstIndex(of: old) else { return nil }
      return (old, added[place])
    }
  }

  /// Returns a line for each stack that another one has taken the place of.
  private static func renamed(_ pairs: [(old: Summary, new: Summary)]) -> [String] {
    pairs.filter { $0.old.identity.name != $0.new.identity.name }.map {
      "the stack: \($0.old.identity.name) in the baseline, \($0.new.identity.name) now"
    }
  }

  /// Judges the stacks of one run.
  private struct Judge {
    let before: GateResults
    let tolerances: Tolerances
    let noise: GateNoise

    /// Returns the changes of all measures that were taken both times, in the order of the measures.
    func changes(of stack: GateSamples.Names, _ now: GateResults) -> [GateChange] {
      Measure.all.filter { !$0.isOfHost }.compactMap { measure in
        let pairs = GateSamples.pairs(of: stack, measure: measure, before: before, now: now)
        guard !pairs.isEmpty else { return nil }
        let means = pairs.means
        return GateChange(
          measure: measure, before: means.before, now: means.now,
          floor: noise.floor(
            of: stack.before, measure, pairs: pairs.count, noticed: tolerances[measure].limit(from: means.before)),
          evidence: GateEvidence(of: measure, in: now))
      }
    }
  }
}

// MARK: - What cannot be compared

extension GateComparison {
  /// Returns the differences between the circumstances of the baseline and those of `now`, which need not have been run
  /// yet.
  package static func unlike(
    before: GateResults, now: Manifest, flags: Set<String>, roles: SettingRoles, judged: Set<String> = []
  ) -> [GateMismatch] {
    before.mismatches + versionMismatches(before: before.manifest, now: now)
      + differences(before: before.manifest, now: now, flags: flags, roles: roles).filter {
        !isJudged($0, judged: judged)
      }.compactMap(mismatch)
  }

  private static func versionMismatches(before: Manifest, now: Manifest) -> [GateMismatch] {
    var found: [GateMismatch] = []
    if before.schemaVersion != now.schemaVersion {
      found.append(
        GateMismatch(.schema, "schema: \(before.schemaVersion) in the baseline, \(now.schemaVersion) now"))
    }
    if before.versions.tool.compare(now.versions.tool, options: .numeric) == .orderedDescending {
      found.append(
        GateMismatch(
          .version, "tool: the baseline is of stackbench \(before.versions.tool), this is \(now.versions.tool)"))
    }
    return found
  }

  /// Returns the differences between two manifests, without those in flags that came with a later version.
  private static func differences(
    before: Manifest, now: Manifest, flags: Set<String>, roles: SettingRoles
  ) -> [ManifestDifference] {
    ManifestDifference.between(before, and: now, roles: roles).filter { difference in
      switch difference.kind {
      case .setting(.workload), .setting(.wiring), .setting(.device):
        difference.first != nil || flags.contains(difference.name)
      default: true
      }
    }
  }

  /// True if a difference is one of the stack or of its settings, whose effect the gate judges.
  private static func isJudged(_ difference: ManifestDifference, judged: Set<String>) -> Bool {
    switch difference.kind {
    case .setting(.wiring): true
    case .setting(.workload): judged.contains(difference.name)
    default: false
    }
  }

  private static func mismatch(_ difference: ManifestDifference) -> GateMismatch? {
    switch difference.kind {
    case .setting(.workload), .setting(.wiring), .setting(.extent): GateMismatch(.workload, text(difference))
    case .setting(.device), .profileVersion: GateMismatch(.profile, text(difference))
    case .version where difference.name == "sqlite": GateMismatch(.version, text(difference))
    case .configuration:
      GateMismatch(
        .configuration,
        text(difference) + " (simulated figures are the same in both, but the gate compares equal builds only)")
    // The rows show which stacks were run, and draws that only one side has are left out of the means. The other
    // differences do not change simulated figures.
    case .setting(.stacks), .setting(.draws), .setting(.precaution), .version, .host, .fileSystem: nil
    }
  }

  private static func text(_ difference: ManifestDifference) -> String {
    func shown(_ value: String?) -> String { value.map { $0.isEmpty ? "not given" : $0 } ?? "not known" }
    return "\(difference.title): \(shown(difference.first)) in the baseline, \(shown(difference.second)) now"
  }

  private static func rowMismatches(
    before: GateResults, now: GateResults, pairs: [(old: Summary, new: Summary)]
  ) -> [GateMismatch] {
    let oldNames = pairs.map(\.old.identity.name)
    let newNames = pairs.map(\.new.identity.name)
    let rows =
      before.stackNames.filter { !oldNames.contains($0) }.map {
        GateMismatch(.rows, "\($0): in the baseline, but missing now")
      }
      + now.stackNames.filter { !newNames.contains($0) }.map { GateMismatch(.rows, "\($0): missing in the baseline") }
    // A stack that is missing has no trials either, and is named already.
    guard rows.isEmpty else { return rows }
    let newName = Dictionary(zip(oldNames, newNames), uniquingKeysWith: { first, _ in first })
    let oldTrials = before.trials.map {
      "\(newName[$0.identity.name] ?? $0.identity.name), trial \($0.identity.trial)"
    }
    let newTrials = now.trials.map { "\($0.identity.name), trial \($0.identity.trial)" }
    return oldTrials.filter { !newTrials.contains($0) }.map {
      GateMismatch(.rows, "\($0): in the baseline's \(TrialTable.fileName), but missing now")
    }
      + newTrials.filter { !oldTrials.contains($0) }.map {
        GateMismatch(.rows, "\($0): missing in the baseline's \(TrialTable.fileName)")
      }
  }

  private static func drawMismatches(before: GateResults, now: GateResults) -> [GateMismatch] {
    let drawn = Set(before.samples.map(\.identity.trial))
    guard
      before.draws.isEmpty != now.draws.isEmpty || !now.samples.contains(where: { drawn.contains($0.identity.trial) })
    else { return [] }
    return [
      GateMismatch(
        .rows,
        "draws: \(before.draws.isEmpty ? "none in the baseline" : "other numbers in the baseline"), "
          + (now.draws.isEmpty ? "none now" : "numbers from \(now.draws[0].identity.trial) now"))
    ]
  }

  private static func unverified(_ results: GateResults, time: String) -> [GateMismatch] {
    results.summaries.filter { $0.measures.verified != 1 }.map {
      GateMismatch(.unverified, "\($0.identity.name): its data did not verify \(time)")
    }
  }

  private static func measureMismatches(
    before: Summary, now: Summary, dataSettings: [String]
  ) -> [GateMismatch] {
    let name = now.identity.name
    var found: [GateMismatch] = Measure.all.filter { !$0.isOfHost }.compactMap { measure in
      switch (before.measures[keyPath: measure.keyPath], now.measures[keyPath: measure.keyPath]) {
      case (let value?, nil):
        GateMismatch(.measure, "\(name): \(measure.name) is \(value) in the baseline, and not measured now")
      case (nil, let value?):
        GateMismatch(.measure, "\(name): \(measure.name) is not measured in the baseline, and \(value) now")
      default: nil
      }
    }
    if before.measures.storeDigest != now.measures.storeDigest {
      found.append(
        GateMismatch(
          .data,
          "\(name): \(TrialMeasures.digestColumn): the store holds different data than in the baseline"
            + (dataSettings.isEmpty
              ? "" : ", since \(dataSettings.joined(separator: ", ")) decides which records change which")))
    }
    return found
  }
}

extension Manifest {
  /// Returns the costs that the profile charged to a stack's first trial, or nil if the manifest does not record them.
  fileprivate func charges(of identity: TrialIdentity) -> [String: Int64]? {
    simulatedTrials?.first {
      $0.topology == identity.topology && $0.variant == identity.variant && $0.draw == nil
    }?.chargedNanoseconds
  }
}
