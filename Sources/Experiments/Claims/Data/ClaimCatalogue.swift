/// All articles, experiments and claims.
package struct ClaimCatalogue: Hashable, Sendable {
  package var articles: [Article]
  package var experiments: [ClaimExperiment]
  /// The claims, article by article.
  package var claims: [Claim]

  /// Returns the experiment with an identifier, or nil if it is unknown.
  package func experiment(named id: String) -> ClaimExperiment? { experiments.first { $0.id == id } }

  /// Returns the claim with an identifier, or nil if it is unknown.
  package func claim(named id: String) -> Claim? { claims.first { $0.id == id } }

  /// Returns the experiment of a test, or nil if the test does without one.
  package func experiment(of test: ClaimTest) -> ClaimExperiment? { test.experiment.flatMap(experiment(named:)) }

  /// Returns the experiments of claims, each once, in the order of the catalogue.
  package func experiments(of claims: [Claim]) -> [ClaimExperiment] {
    let needed = Set(claims.compactMap { $0.test?.experiment })
    return experiments.filter { needed.contains($0.id) }
  }

  /// Returns the columns that claims need of an experiment, in alphabetical order.
  package func columns(of experiment: ClaimExperiment) -> [String] {
    let tests = claims.compactMap(\.test).filter { $0.experiment == experiment.id }
    return Set(tests.flatMap { $0.figure.operands.flatMap(\.columns) }).sorted()
  }
}
