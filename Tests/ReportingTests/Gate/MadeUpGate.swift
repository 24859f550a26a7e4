import Metrics

@testable import Reporting

/// Made-up results of the gate's runs, on disk and in memory.
enum MadeUpGate {
  static let manifest: Manifest = {
    var manifest = MadeUpResults.manifest
    manifest.machine = "simulated"
    manifest.profile = "iphone-15-pro"
    manifest.profileVersion = 3
    manifest.idleTicks = nil
    manifest.noise = []
    manifest.flags = ["rows": "100", "machine": "simulated", "profile": "iphone-15-pro", "topology": "all"]
    manifest.simulatedTrials = six.map { record in
      Manifest.SimulatedTrial(
        identity: record.identity,
        figures: SimulationFigures(
          fingerprint: "0123456789abcdef", handOffsCount: 1, eventsCount: 2, virtualNanoseconds: 3, wallNanoseconds: 4),
        charged: [
          PricedWork(kind: "faultFired", role: "ui", count: 10, nanoseconds: 40_000_000),
          PricedWork(kind: "rowWritten", role: "import", count: 10, nanoseconds: 700_000_000),
        ])
    }
    return manifest
  }()

  static let six = MadeUpResults.six.map { record in
    var record = record
    record.identity.machine = "simulated"
    record.identity.profile = "iphone-15-pro"
    record.identity.pid = nil
    // These measures exist in live trials only.
    for measure in Measure.all where measure.isOfHost { record.measures[keyPath: measure.keyPath] = nil }
    return record
  }

  /// Returns the results of `records`, as if written and read back.
  static func results(of records: [TrialRecord] = six, _ manifest: Manifest = manifest) -> GateResults {
    GateResults(manifest: manifest, summaries: Summary.summaries(of: records), trials: records)
  }

  /// Returns results of one stack on a number of drawn devices.
  ///
  /// `first` is the number of the first draw. `change` sets the measures of a draw, which are otherwise those of the
  /// stack in all draws.
  static func drawn(
    _ count: Int, from first: Int = 1, of stack: String = "three-tier",
    _ change: (inout TrialMeasures, _ draw: Int) -> Void = { _, _ in }
  ) -> GateResults {
    let trials = six.filter { $0.identity.name == stack }
    let draws = (first..<(first + count)).flatMap { draw in
      trials.map { trial in
        var record = trial
        record.identity.trial = draw
        change(&record.measures, draw)
        return record
      }
    }
    return GateResults(manifest: manifest, summaries: Summary.summaries(of: trials), trials: trials, draws: draws)
  }

  /// Returns the six with changed measures of one stack.
  static func changed(_ stack: String = "three-tier", _ change: (inout TrialMeasures) -> Void) -> [TrialRecord] {
    six.map { record in
      var record = record
      if record.identity.name == stack { change(&record.measures) }
      return record
    }
  }

  /// Compares the run `six` with the same run after `change`.
  static func comparison(
    of stack: String = "three-tier", tolerances: Tolerances = Tolerances(), charged: (Manifest) -> Manifest = { $0 },
    _ change: (inout TrialMeasures) -> Void
  ) -> GateComparison {
    GateComparison(
      of: "six", roles: MadeUpResults.roles, before: results(),
      now: results(of: changed(stack, change), charged(manifest)),
      tolerances: tolerances)
  }

  static func report(_ comparisons: GateComparison...) -> GateOutcome {
    GateOutcome(baseline: "Results/baseline", comparisons: comparisons)
  }

  // MARK: Two runs

  static let worse = comparison(charged: charged) {
    $0.importNanoseconds? += 500_000_000
    $0.mainFaultNanoseconds? *= 3
    $0.faultsFiredCount? *= 3
    $0.sqlStatementsCount? += 1_200
    $0.heapPeakBytes? /= 2
    $0.stallNanosecondsP50? += 1
  }

  @Sendable private static func charged(_ manifest: Manifest) -> Manifest {
    var manifest = manifest
    let place = manifest.simulatedTrials?.firstIndex { $0.topology == "three-tier" }
    manifest.simulatedTrials?[place ?? 0].chargedNanoseconds?["ui faultFired"]? += 123_456_789
    return manifest
  }

  static let incomparable = GateComparison(
    of: "one-big-save", roles: MadeUpResults.roles, before: results(), now: results(of: Array(six.dropLast())),
    tolerances: Tolerances(), failures: ["three-tier, trial 1: <it> hung & \"died\""])
}
