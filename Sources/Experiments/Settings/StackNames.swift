import InputFiles
import MachineCore
import Reporting
import Topologies
import TrialProcesses

/// The names of stacks in flags and files.
package enum StackNames {
  /// The name that selects the six stacks.
  package static let all = "all"
  /// The name that selects the six stacks and their relatives.
  package static let allAndRelatives = "all+"
  /// The stack whose variants `--merge` names.
  static let merging = "worker-merge"

  /// The reason for which a stack that imports in a second process cannot be simulated, and the remedy.
  package static let secondProcessLimit =
    "a simulated machine has one process, and this stack imports in a second one; use another stack, or "
    + "stackbench run \(SettingFlag.of(\.machine, value: .live))"

  /// The names of all stacks and variants, as messages list them.
  package static var known: String { Topology.known.map(\.title).joined(separator: ", ") }

  /// Returns true if a name selects several stacks.
  package static func isGroup(_ name: String) -> Bool { [all, allAndRelatives].contains(name) }

  /// Returns the names of a stack's variants. The default is the first.
  static func variants(of id: String) -> [String] {
    Topology.known.filter { $0.id == id }.compactMap(\.variant)
  }
}

// MARK: - Reading

extension StackNames {
  /// Reads a choice of stacks: a name, `all`, `all+`, the path of a file, or the text of a description, which begins
  /// with a brace. A description that equals a known stack is that stack.
  ///
  /// - Throws: `OptionValue.Refusal` for an unknown name, and for a file or a text that does not describe a stack.
  static func choice(_ word: String) throws -> StackChoice {
    guard !word.isEmpty else { throw OptionValue.Refusal(description: "empty; use all, all+ or one of \(known)") }
    if isGroup(word) || Topology.named(word) != nil { return .named(word) }
    do throws(YAMLError) {
      if let topology = try described(word) { return choice(of: topology, source: word) }
    } catch {
      // The message about a setting names the file.
      let line = error.line.map { "line \($0)" }
      throw OptionValue.Refusal(
        description: [line, error.key, error.message].compactMap(\.self).joined(separator: ": "))
    }
    throw OptionValue.Refusal(description: "not known; \(advice(on: word, others: "all, all+ or "))")
  }

  /// Returns the choice of one stack by the argument of a command.
  ///
  /// - Throws: `RunFailure` with status 64 for an unknown name, and for a file or a text that does not describe a stack.
  package static func stack(_ word: String) throws(RunFailure) -> StackChoice {
    if let known = Topology.named(word) { return .named(known.title) }
    let topology = try UserInput.read { () throws(YAMLError) in try described(word) }
    guard let topology else {
      throw .usage("\(word): not a stack; \(advice(on: word))")
    }
    return choice(of: topology, source: word)
  }

  /// Returns a clause with the names that may be meant by a word that is no stack: the variants of a stack, the nearest
  /// name, or `others` and all names.
  private static func advice(on word: String, others: String = "") -> String {
    let titles = Topology.known.map(\.title)
    let variants = word.lastIndex(of: "/").map { slash in titles.filter { $0.hasPrefix(word[...slash]) } } ?? []
    if !variants.isEmpty { return "use one of \(variants.joined(separator: ", "))" }
    // The list of all stacks is too long to follow a name that is probably meant.
    return NearestName.question(word, among: (Topology.all + Topology.relatives).map(\.id) + titles)
      ?? "use \(others)one of \(known), or a file ending in .yaml"
  }

  private static func choice(of topology: Topology, source: String) -> StackChoice {
    Topology.known.contains(topology) ? .named(topology.title) : .own(topology, source: source)
  }

  /// Returns the topology in a file or in a text that begins with a brace, or nil for a word that is neither.
  private static func described(_ word: String) throws(YAMLError) -> Topology? {
    if word.hasPrefix("{") { return try TopologyReader(place: "the description").topology(from: word) }
    return TopologyFile.isPath(word) ? try TopologyFile.topology(at: word) : nil
  }
}

// MARK: - Several choices

extension [StackChoice] {
  /// The stacks of all choices, each once, in their order.
  package var distinctTopologies: [Topology] {
    flatMap(\.topologies).reduce(into: []) { distinct, topology in
      if !distinct.contains(topology) { distinct.append(topology) }
    }
  }

  /// Returns the word that chose a topology, or its title if none of the choices is that topology alone.
  package func word(of topology: Topology) -> String {
    lazy.compactMap { choice in
      if case .own(topology, let source) = choice { source } else { nil }
    }.first ?? topology.title
  }
}
