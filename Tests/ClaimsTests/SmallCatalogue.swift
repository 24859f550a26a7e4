@testable import Experiments

/// A small catalogue with an experiment, and figures for it.
enum SmallCatalogue {
  static let experimentsText = """
    experiments:
      sizes:
        settings: {topology: [all-main, worker-merge, three-tier]}
        vary:
          profile: [iphone-15-pro, iphone-6s]
          rows: [10, 100, 1000]
        draws: 2
      plain:
        settings: {topology: all, rows: 100}
      trouble: {scenario: temporary-id, seeds: 3}
      phones: {scenario: main-saves-much, draws: 2, vary: {profile: [iphone-15-pro, iphone-6s]}}
      engine: {peers: [stackbench, raw], cases: [insert, fetch]}
    """

  static func experiments(_ text: String = experimentsText) throws -> [ClaimExperiment] {
    try ExperimentsReader(place: "experiments.yaml").experiments(from: text)
  }

  /// Returns the catalogue with one claim, whose keys after the statement are given.
  static func catalogue(_ keys: String) throws -> ClaimCatalogue {
    try ArticleReader(experiments: try experiments()).catalogue(from: articleText(keys), place: "small.yaml")
  }

  static func articleText(_ keys: String) -> String {
    """
    author: A. Author
    title: A title
    year: 2015
    claims:
      - id: it-is-so
        statement: It is so.
    \(keys.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
    """
  }

  /// Returns a claim with a query of the experiment `sizes`.
  static func claim(_ figure: String, over: String = "[profile]", holdsIf: String = "{above: 0}") -> String {
    """
    evidence: simulated
    experiment: sizes
    label: a figure
    figure: \(figure)
    over: \(over)
    holds-if: \(holdsIf)
    """
  }

  /// Returns a claim with a query of another experiment, without drawn devices.
  static func counted(
    _ figure: String, of experiment: String, over: String? = nil, evidence: String = "counter",
    holdsIf: String = "{above: 0}"
  ) -> String {
    """
    evidence: \(evidence)
    experiment: \(experiment)
    label: a figure
    figure: \(figure)\(over.map { "\nover: \($0)" } ?? "")
    holds-if: \(holdsIf)
    """
  }

  /// Returns figures of the experiment `sizes`. The closure returns the dropped frames of a trial.
  static func figures(
    _ dropped: (_ profile: String, _ rows: Int, _ stack: String, _ draw: Int) -> Int64
  ) -> FigureTable {
    var rows: [FigureRow] = []
    for profile in ["iphone-15-pro", "iphone-6s"] {
      for count in [10, 100, 1000] {
        for stack in ["all-main", "worker-merge/notification", "three-tier"] {
          for draw in 1...2 {
            let value = dropped(profile, count, stack, draw)
            rows.append(
              FigureRow(
                key: FigureRow.Key(
                  experiment: "sizes", point: "profile=\(profile) rows=\(count)", stack: stack, trial: "draw \(draw)"),
                values: ["frames_dropped_count": value, "hitch_total_ns": value * 10_000_000]))
          }
        }
      }
    }
    return FigureTable(rows: rows)
  }

  /// Returns the judged claim of a catalogue with one claim.
  static func judged(_ keys: String, _ figures: FigureTable) throws -> JudgedClaim {
    let catalogue = try catalogue(keys)
    return try ClaimJudge(catalogue, figures: figures).judged(catalogue.claims[0])
  }
}
