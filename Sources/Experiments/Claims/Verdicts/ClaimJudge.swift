import Reporting
import TrialProcesses

/// Computes the figures and the verdicts of claims from the committed figures.
package struct ClaimJudge: Sendable {
  let catalogue: ClaimCatalogue
  let figures: FigureTable
  /// True if the commands leave a settings file of the working folder aside.
  let ignoresSettingsFile: Bool

  package init(_ catalogue: ClaimCatalogue, figures: FigureTable, ignoringSettingsFile: Bool = false) {
    self.catalogue = catalogue
    self.figures = figures
    ignoresSettingsFile = ignoringSettingsFile
  }

  /// Returns a claim with its figures and its verdict.
  ///
  /// - Throws: `RunFailure` if a figure is missing from the committed ones.
  package func judged(_ claim: Claim) throws -> JudgedClaim {
    switch claim.decision {
    case .undecidable(let reason):
      return JudgedClaim(claim: claim, cases: [], verdict: .undecidable(reason: reason), commands: [])
    case .test(let test):
      let cases = try cases(of: test)
      return JudgedClaim(claim: claim, cases: cases, verdict: ClaimVerdict(cases), commands: try commands(of: test))
    }
  }

  private func commands(of test: ClaimTest) throws -> [String] {
    if let experiment = catalogue.experiment(of: test) {
      return try experiment.commands(ignoringSettingsFile: ignoresSettingsFile)
    }
    return test.figure.operands.compactMap(\.stack).map { "stackbench topologies \($0) --format swift" }
  }

  private func cases(of test: ClaimTest) throws -> [CaseFigure] {
    guard let experiment = catalogue.experiment(of: test) else {
      let figure = try FigureQuery(figures: figures).value(of: test.figure)
      return [CaseFigure(settings: [], trial: nil, figure: figure, holds: test.condition.holds(for: figure))]
    }
    var settings: [[SettingValue]] = [[]]
    for name in test.over {
      let values = experiment.values(of: name) ?? []
      settings = settings.flatMap { known in values.map { known + [SettingValue(name: name, value: $0)] } }
    }
    return try settings.flatMap { values in
      try experiment.deciding.map { trial in
        let query = FigureQuery(figures: figures, experiment: experiment, settings: values, trial: trial)
        let figure = try query.value(of: test.figure)
        return CaseFigure(
          settings: values, trial: trial, figure: figure, holds: test.condition.holds(for: figure))
      }
    }
  }
}
