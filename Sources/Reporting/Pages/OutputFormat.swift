/// A format in which results are printed. Each kind of result has some of them.
package enum OutputFormat: String, Hashable, CaseIterable, Sendable {
  case text
  case markdown
  case json
  case csv
  /// JUnit's XML for CI servers.
  case junit
  case gitHubAction = "github-action-benchmark"
  case bencher
  case yaml
  /// A graph for Graphviz.
  case dot
  case svg
  case swift
  case mermaid
}
