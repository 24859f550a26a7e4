/// Collects the figures of claims: the kept ones of experiments whose results are known, and those of new runs.
package struct FigureCollection: Sendable {
  private let catalogue: ClaimCatalogue
  private let known: ClaimCatalogue
  private let kept: FigureTable
  private let run: ClaimRun

  /// Creates a collection.
  ///
  /// - Parameters:
  ///   - catalogue: The claims, and the experiments that may run.
  ///   - known: The catalogue whose figures are kept.
  ///   - kept: The kept figures.
  ///   - run: A run of the experiments of `catalogue`.
  package init(of catalogue: ClaimCatalogue, known: ClaimCatalogue, kept: FigureTable, run: ClaimRun) {
    self.catalogue = catalogue
    self.known = known
    self.kept = kept
    self.run = run
  }

  /// Returns the figures that decide claims.
  ///
  /// - Throws: `RunFailure` if a trial fails; `CancellationError` if the run is interrupted.
  package func figures(of claims: [Claim]) async throws -> FigureTable {
    let experiments = catalogue.experiments(of: claims)
    let missing = experiments.filter { !isKept($0) }
    var rows = kept.rows.filter { row in
      experiments.contains { $0.id == row.key.experiment } && !missing.contains { $0.id == row.key.experiment }
    }
    for (place, experiment) in missing.enumerated() {
      let prefix = "experiment \(place + 1) of \(missing.count): "
      rows += try await run.outcome(of: experiment, draws: true, prefix: prefix).rows
    }
    return FigureTable(rows: rows)
  }

  /// Returns true if the kept figures are those of an experiment: it is a known one, perhaps with fewer values of its
  /// varied settings, and has no columns but the kept ones.
  private func isKept(_ experiment: ClaimExperiment) -> Bool {
    guard var same = known.experiment(named: experiment.id),
      same.varied.map(\.name) == experiment.varied.map(\.name),
      zip(same.varied, experiment.varied).allSatisfy({ Set($1.values).isSubset(of: $0.values) })
    else { return false }
    same.varied = experiment.varied
    return same == experiment
      && Set(catalogue.columns(of: experiment)).isSubset(of: known.columns(of: experiment))
  }
}
