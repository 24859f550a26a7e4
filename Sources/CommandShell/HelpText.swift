import Foundation

/// The help of a command, in the order in which readers look for its parts: usage, examples, and the rest.
package enum HelpText {
  private static let usage = "USAGE: "
  private static let overview = "OVERVIEW: "

  /// Returns the argument parser's help with usage and examples before the overview, or the text itself if it is not a
  /// help text. `command` is the name of the command, or nil for the program's own help.
  package static func arranged(_ text: String, of command: String?) -> String {
    var parts = text.components(separatedBy: "\n\n")
    guard text.hasPrefix(overview), let index = parts.firstIndex(where: { $0.hasPrefix(usage) }) else { return text }
    let first = parts.remove(at: index)
    let examples = CommandExamples.of(command).map { "  \($0.line)\n      \($0.meaning)" }
    return ([first] + (examples.isEmpty ? [] : ["EXAMPLES:\n" + examples.joined(separator: "\n")]) + parts)
      .joined(separator: "\n\n")
  }
}
