/// A statement of an article, with the query that decides if it holds.
package struct Claim: Hashable, Sendable {
  /// The name of the claim on the command line, which is unique among all claims.
  package var id: String
  /// The key of the article.
  package var article: String
  /// A short paraphrase of the statement.
  package var statement: String
  package var decision: Decision

  /// The way in which a claim is decided.
  package enum Decision: Hashable, Sendable {
    case test(ClaimTest)
    /// No experiment can decide the claim, for the reason that is given.
    case undecidable(reason: String)
  }

  /// The test that decides the claim, or nil if no experiment can.
  package var test: ClaimTest? {
    guard case .test(let test) = decision else { return nil }
    return test
  }
}

/// A query on the results of an experiment, and the condition under which a claim holds.
package struct ClaimTest: Hashable, Sendable {
  package var evidence: Evidence
  /// The identifier of the experiment, or nil if the figure does without one.
  package var experiment: String?
  package var figure: ClaimFigure
  /// A few words that name the figure.
  package var label: String
  package var condition: Condition
  /// The varied settings over whose values the verdict may differ.
  package var over: [String]

  /// The kind of the figures on which a verdict rests.
  package enum Evidence: String, CaseIterable, Hashable, Sendable {
    /// The figure counts work, code or devices' errors, or compares an order, and no price enters it.
    case counter
    /// The figure is a time of simulated devices.
    case simulated
    /// The figure is a time of this engine on a real computer.
    case live

    /// The words of pages.
    package var title: String {
      switch self {
      case .counter: "counter or order"
      case .simulated: "simulated with draws"
      case .live: "live"
      }
    }
  }
}
