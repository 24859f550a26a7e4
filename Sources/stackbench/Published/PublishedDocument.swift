import Metrics

/// The comparisons of all shipped tables with their summary, as `validate --published all --format json` prints them.
struct PublishedDocument: Codable {
  var tables: [PublishedComparison]
  var summary: PublishedSummary

  init(_ comparisons: [PublishedComparison]) {
    tables = comparisons
    summary = PublishedSummary(comparisons)
  }
}
