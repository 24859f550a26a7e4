/// Tells the words of a command line that are flags of `run`, with their values, from those that are not.
struct RunFlagWords: Hashable, Sendable {
  /// As they were given, in their order.
  private(set) var flags: [String] = []
  /// The others.
  private(set) var others: [String] = []

  /// What a comparison says itself, or what leaves nothing to compare.
  private static let own: Set<String> = [
    "output", "name", "replace", "scratch", "format", "quiet", "idle-seconds", "machine", "profile", "schedule-seed",
    "draws", "draws-within", "trace",
    "check-determinism", "kill-at", "take-turns",
  ]

  /// All flags of `run` but those in `own` have a value, which is the next word unless it stands behind a `=`.
  ///
  /// - Throws: `CommandFailure` for flags of `own`.
  init(_ words: [String]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        others.append(word)
        continue
      }
      let name = word.split(separator: "=", maxSplits: 1)[0].drop { $0 == "-" }
      if RunFlagWords.own.contains(String(name)) {
        throw CommandFailure.usage(RunFlagWords.refusal(String(name)))
      }
      flags.append(word)
      if !word.contains("="), let value = rest.popFirst() { flags.append(value) }
    }
  }

  private static func refusal(_ name: String) -> String {
    switch name {
    case "output": "--output: a live comparison keeps no results; use --scratch for where its stores lie"
    case "machine", "profile", "schedule-seed", "draws", "draws-within", "trace", "check-determinism":
      "--\(name): a live comparison is live; simulate with each version's 'stackbench run' and compare the two folders"
    default: "--\(name): does not concern the trials of a comparison; use it with stackbench run"
    }
  }
}
