import Reporting

/// Flags of a simulated `run`, as the words of a command line: what they ask for, and the same with one of them changed.
struct RunWords: Hashable, Sendable {
  /// Flags, each with its value behind it or behind a `=` in the same word.
  private(set) var words: [String] = []
  /// The words that belong to no flag.
  private(set) var others: [String] = []

  /// What a simulation for an answer says itself, or what leaves nothing to choose from.
  private static let refused = VariedFlag.fixed.union(["machine", "trials", "idle-seconds"])

  /// Every flag that may stand here has a value: the next word, unless it stands behind a `=`.
  ///
  /// - Throws: `CommandFailure` for flags that concern no single simulation.
  init(_ words: [String]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        others.append(word)
        continue
      }
      let name = RunWords.flag(of: word)
      if RunWords.refused.contains(name) {
        throw CommandFailure.usage("--\(name): cannot be a flag of what is simulated here; leave it out")
      }
      self.words.append(word)
      if !word.contains("="), let value = rest.popFirst() { self.words.append(value) }
    }
  }

  private static func flag(of word: String) -> String {
    String(word.dropFirst(2).prefix { $0 != "=" })
  }

  /// Takes the first word that belongs to no flag; nil if there is none.
  mutating func takeOther() -> String? {
    others.isEmpty ? nil : others.removeFirst()
  }

  /// The same with another value of one flag, which comes last.
  func setting(_ flag: String, _ value: String) -> RunWords {
    var changed = without([flag])
    changed.words += ["--\(flag)", value]
    return changed
  }

  /// The same with a flag more, which may stand there already.
  func adding(_ flag: String, _ value: String) -> RunWords {
    var changed = self
    changed.words += ["--\(flag)", value]
    return changed
  }

  /// The same without some flags and their values.
  func without(_ flags: Set<String>) -> RunWords {
    filtered { !flags.contains($0) }
  }

  /// The same with nothing but some flags and their values.
  func only(_ flags: Set<String>) -> RunWords {
    filtered { flags.contains($0) }
  }

  private func filtered(_ isKept: (String) -> Bool) -> RunWords {
    var kept = self
    kept.words = []
    var rest = words[...]
    while let word = rest.popFirst() {
      var flag = [word]
      if !word.contains("="), let value = rest.popFirst() { flag.append(value) }
      if isKept(RunWords.flag(of: word)) { kept.words += flag }
    }
    return kept
  }

  /// As a shell takes them, behind what comes before.
  func command(_ start: String) -> String {
    ([start] + words.map(ShellWord.quoted)).joined(separator: " ")
  }

  /// The command that simulates them.
  var runCommand: String { command("stackbench run --machine \(MachineKind.simulated.rawValue)") }

  /// What they ask for, with its results in `output`; nothing is drawn unless they say so.
  ///
  /// - Throws: `CommandFailure` with status 64 for flags that `run` would refuse.
  func experiment(output: String) throws -> Experiment {
    var experiment = try parsed().experiment()
    experiment.output = WorkingFolder.absolutePath(output)
    return experiment
  }

  /// - Throws: `CommandFailure` with status 64 for words that are no flags of `run`, and for values that it would refuse.
  func parsed() throws -> RunCommand {
    do {
      return try RunCommand.parse(["--machine", MachineKind.simulated.rawValue, "--draws", "0"] + words + others)
    } catch {
      throw CommandLineRun.failure(parsing: error)
    }
  }
}
