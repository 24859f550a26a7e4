import Experiments
import MachineCore
import Reporting

/// Turns messages of the argument parser into messages of this program, which have one line that begins with the flag
/// and its value.
package enum UsageText {
  /// The commands that accept flags of `run`.
  private static let runFlagCommands: Set<String> = ["sweep", "advise", "compare", "topologies"]

  /// Returns the line for a message of the argument parser. `command` is the name of the command, or nil if it is
  /// unknown.
  package static func line(from message: String, command: String? = nil) -> String {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    return refusal(line) ?? unknownFlag(line, of: command) ?? withHint(line)
  }

  /// Returns `--F: unknown flag; did you mean --G? see --help` for `Unknown option '--F'. Did you mean '--G'?`, or nil
  /// for any other line.
  private static func unknownFlag(_ line: String, of command: String?) -> String? {
    guard let match = line.wholeMatch(of: /Unknown option '(-[^']*)'\.?(?: Did you mean '([^']*)'\?)?/) else {
      return nil
    }
    let flag = String(match.output.1)
    let own = match.output.2.map { "did you mean \($0)? " } ?? ""
    guard let command, runFlagCommands.contains(command) else { return "\(flag): unknown flag; \(own)see --help" }
    // The parser only suggests flags that help lists.
    let meant =
      own.isEmpty ? NearestName.clause(flag, among: SettingTable.standard.settings.map { "--\($0.name)" }) : own
    return "\(flag): unknown flag; \(meant)see 'stackbench \(command) --help' and 'stackbench run --help'"
  }

  /// Returns `--flag V: reason` for `The value 'V' is invalid for '--flag <value>': reason`, or nil for any other line.
  private static func refusal(_ line: String) -> String? {
    let opening = "The value '"
    let middle = "' is invalid for '"
    guard line.hasPrefix(opening), let split = line.firstRange(of: middle) else { return nil }
    let value = line[line.index(line.startIndex, offsetBy: opening.count)..<split.lowerBound]
    let rest = line[split.upperBound...]
    guard let end = rest.firstIndex(of: "'") else { return nil }
    let flag = rest[..<end].split(separator: " ").first ?? ""
    let reason = rest[rest.index(after: end)...].drop { $0 == ":" || $0 == " " }
    return "\(flag) \(QuotedText.of(value)): \(reason.isEmpty ? "not a valid value" : String(reason))"
  }

  private static func withHint(_ line: String) -> String {
    var text = line.hasSuffix(".") ? String(line.dropLast()) : line
    // An ordinary first word begins with a small letter in messages. Flags and quoted values stay as they are, since
    // they do not begin with a letter.
    if let first = text.first, first.isUppercase {
      text = first.lowercased() + text.dropFirst()
    }
    return "\(text); see --help"
  }
}
