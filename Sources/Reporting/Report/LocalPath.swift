import Foundation

/// Paths of files on the computer that made a page. A page that is sent around gives their names alone.
enum LocalPath {
  private static let endings: Set<String> = [
    "yaml", "yml", "json", "jsonl", "ndjson", "geojson", "csv", "sqlite", "xcdatamodel", "xcdatamodeld",
  ]

  /// Returns a text of words, as a command line has them, in which each path is replaced by its last part.
  ///
  /// A word in single quotes may have spaces. Names of stacks have a slash as well and stay: `worker-merge/reset`.
  static func removed(from text: String) -> String {
    text.replacing(/'[^']*'|[^\s']+/) { match in
      let word = match.output
      let isQuoted = word.hasPrefix("'") && word.hasSuffix("'") && word.count > 1
      let inner = isQuoted ? word.dropFirst().dropLast() : word
      let shown = withoutPaths(inner)
      return isQuoted ? "'\(shown)'" : shown
    }
  }

  /// Returns a word whose parts are separated by `=` and `,`, as in `profile=a.yaml,b.yaml`, without folders.
  private static func withoutPaths(_ word: Substring) -> String {
    String(
      word.replacing(/[^=,]+/) { match in isPath(match.output) ? lastPart(of: match.output) : String(match.output) })
  }

  private static func isPath(_ text: Substring) -> Bool {
    guard text.contains("/") else { return false }
    return ["/", "~/", "./", "../"].contains { text.hasPrefix($0) } || endings.contains(ending(of: text))
  }

  private static func lastPart(of path: Substring) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  private static func ending(of path: Substring) -> String {
    lastPart(of: path).split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
  }
}
