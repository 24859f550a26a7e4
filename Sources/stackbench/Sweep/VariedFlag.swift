/// A flag of `run` and the values that a sweep gives it, in their order.
struct VariedFlag: Hashable, Sendable {
  /// Without its dashes.
  var name: String
  var values: [String]

  /// Flags that say where files go and what is done with them, and so nothing about a trial.
  static let fixed: Set<String> = [
    "output", "name", "replace", "scratch", "format", "quiet", "draws", "draws-within", "trace", "check-determinism",
    "kill-at",
    "take-turns", "plan",
    "vary", "restart", "help", "version",
  ]

  /// The flags that completions offer, those that tell stacks apart most.
  static let suggested = [
    "topology", "profile", "batch-size", "save-every", "rows", "existing-rows", "mix", "lookup", "arrival-interval",
    "concurrent-imports", "view-controllers", "visible-rows", "scroll-speed", "user-edit-interval", "fetch-batch-size",
    "frame-work", "cell-work", "merge-policy", "store-save", "strategy", "connection-pool", "journal-mode",
    "synchronous", "seed", "workload",
  ]

  init(name: String, values: [String]) {
    self.name = name
    self.values = values
  }

  /// Reads `FLAG=V,V,…`; a comma inside a value has a backslash before it. The values are not looked at.
  init(argument: String) throws(OptionValue.Refusal) {
    guard let split = argument.firstIndex(of: "=") else {
      throw OptionValue.Refusal(description: "without values; use FLAG=VALUE,VALUE,… as in batch-size=100,500")
    }
    let flag = argument[..<split]
    let name = flag.hasPrefix("--") ? String(flag.dropFirst(2)) : String(flag)
    guard !name.isEmpty, !name.hasPrefix("-") else {
      throw OptionValue.Refusal(description: "names no flag; use FLAG=VALUE,VALUE,… as in batch-size=100,500")
    }
    guard !VariedFlag.fixed.contains(name) else {
      throw OptionValue.Refusal(description: "--\(name) cannot be varied; use a flag that changes what a trial does")
    }
    let values = VariedFlag.values(in: argument[argument.index(after: split)...])
    guard !values.contains(""), Set(values).count == values.count else {
      throw OptionValue.Refusal(description: "not a list of different values; use \(name)=VALUE,VALUE,…")
    }
    self.init(name: name, values: values)
  }

  private static func values(in text: Substring) -> [String] {
    var values = [""]
    var isEscaped = false
    for character in text {
      switch character {
      case "\\" where !isEscaped: isEscaped = true
      case "," where !isEscaped: values.append("")
      default:
        // A backslash that escapes nothing is one.
        if isEscaped && character != "," && character != "\\" { values[values.count - 1].append("\\") }
        values[values.count - 1].append(character)
        isEscaped = false
      }
    }
    if isEscaped { values[values.count - 1].append("\\") }
    return values
  }
}
