import Metrics

/// The comparisons of all shipped tables with their summary, and the constraints on profiles, as
/// `validate --published all --format json` prints them.
struct PublishedDocument: Codable {
  var tables: [PublishedComparison]
  var summary: PublishedSummary
  var constraints: [ConstraintResult]

  init(_ comparisons: [PublishedComparison], constraints: [ConstraintResult]) {
    tables = comparisons
    summary = PublishedSummary(comparisons)
    self.constraints = constraints
  }
}
