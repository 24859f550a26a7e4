import Reporting
import Topologies

/// The names of stacks in flags and files.
package enum StackNames {
  /// The name that stands for the six stacks.
  package static let all = "all"
  /// The stack whose variants `--merge` names.
  static let merging = "worker-merge"

  /// Returns the title of the stack with a name, or the titles of the six stacks if the name is `all`.
  ///
  /// - Throws: `OptionValue.Refusal` for an unknown name.
  static func titles(_ name: String) throws -> [String] {
    guard !name.isEmpty else { throw OptionValue.Refusal(description: "empty; use all or one of \(known)") }
    if name == all { return Topology.all.map(\.title) }
    if let topology = Topology.named(name) { return [topology.title] }
    let nearest = NearestName.clause(name, among: Topology.all.map(\.id) + Topology.known.map(\.title))
    throw OptionValue.Refusal(description: "not known; \(nearest)use all or one of \(known)")
  }

  /// Returns the titles of the stacks of some names, each once. Unknown names are left out.
  static func distinctTitles(of names: [String]) -> [String] {
    names.flatMap { (try? titles($0)) ?? [] }.reduce(into: []) { titles, title in
      if !titles.contains(title) { titles.append(title) }
    }
  }

  /// The names of all stacks and variants, as messages list them.
  package static var known: String { Topology.known.map(\.title).joined(separator: ", ") }

  /// Returns the names of a stack's variants. The default is the first.
  static func variants(of id: String) -> [String] {
    Topology.known.filter { $0.id == id }.compactMap(\.variant)
  }
}
