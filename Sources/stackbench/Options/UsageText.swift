import MachineCore

/// Turns the argument parser's messages into ours: one line that begins with the flag and its value.
enum UsageText {
  static func line(from message: String) -> String {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    return refusal(line) ?? unknownFlag(line) ?? withHint(line)
  }

  /// `Unknown option '--F'. Did you mean '--G'?` becomes `--F: unknown flag; did you mean --G? see --help`.
  private static func unknownFlag(_ line: String) -> String? {
    guard let match = line.wholeMatch(of: /Unknown option '(-[^']*)'\.?(?: Did you mean '([^']*)'\?)?/) else {
      return nil
    }
    let meant = match.output.2.map { "did you mean \($0)? " } ?? ""
    return "\(match.output.1): unknown flag; \(meant)see --help"
  }

  /// `The value 'V' is invalid for '--flag <value>': reason` becomes `--flag V: reason`.
  private static func refusal(_ line: String) -> String? {
    let opening = "The value '"
    let middle = "' is invalid for '"
    guard line.hasPrefix(opening), let split = line.firstRange(of: middle) else { return nil }
    let value = line[line.index(line.startIndex, offsetBy: opening.count)..<split.lowerBound]
    let rest = line[split.upperBound...]
    guard let end = rest.firstIndex(of: "'") else { return nil }
    let flag = rest[..<end].split(separator: " ").first ?? ""
    let reason = rest[rest.index(after: end)...].drop { $0 == ":" || $0 == " " }
    return "\(flag) \(QuotedText.of(value)): \(reason.isEmpty ? "not a value that it takes" : String(reason))"
  }

  private static func withHint(_ line: String) -> String {
    var text = line.hasSuffix(".") ? String(line.dropLast()) : line
    // Only a first word that is a word: not a flag and not a quoted value.
    if let first = text.first, first.isUppercase {
      text = first.lowercased() + text.dropFirst()
    }
    return "\(text); see --help"
  }
}
