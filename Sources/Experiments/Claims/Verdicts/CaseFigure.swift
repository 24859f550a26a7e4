/// The figure of a claim in one case.
package struct CaseFigure: Hashable, Sendable {
  /// The values of the settings over which the verdict may differ.
  package var settings: [SettingValue]
  /// The name of the trial, or nil if the figure needs no experiment.
  package var trial: String?
  /// The figure. It is infinite if a search had no end, and not a number if it has no value.
  package var figure: Double
  /// True if the figure fulfils the condition of the claim.
  package var holds: Bool
}

/// The verdict on a claim.
package enum ClaimVerdict: Hashable, Sendable {
  case holds
  case doesNotHold
  /// The cases disagree.
  case depends
  case undecidable(reason: String)

  /// The words of pages.
  package var title: String {
    switch self {
    case .holds: "holds"
    case .doesNotHold: "does not hold"
    case .depends: "depends"
    case .undecidable: "cannot be decided here"
    }
  }

  /// The name of the verdict on the command line and for programs.
  package var name: String {
    switch self {
    case .holds: "holds"
    case .doesNotHold: "does-not-hold"
    case .depends: "depends"
    case .undecidable: "undecidable"
    }
  }

  /// The names of all verdicts.
  package static let names = [ClaimVerdict.holds, .doesNotHold, .depends, .undecidable(reason: "")].map(\.name)

  /// Creates the verdict on cases, at least one.
  package init(_ cases: [CaseFigure]) {
    if cases.allSatisfy(\.holds) {
      self = .holds
    } else {
      self = cases.contains(where: \.holds) ? .depends : .doesNotHold
    }
  }
}

/// A claim with its figures and its verdict.
package struct JudgedClaim: Hashable, Sendable {
  package var claim: Claim
  /// The figures of all cases. The list is empty if no experiment can decide the claim.
  package var cases: [CaseFigure]
  package var verdict: ClaimVerdict
  /// The commands that show the figures.
  package var commands: [String]
}
