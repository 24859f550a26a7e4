import ArgumentParser
import Topologies

/// Which stacks a run compares.
struct TopologyFlags: ParsableArguments {
  static let all = "all"
  private static let merging = "worker-merge"

  @Option(
    name: .customLong("topology"),
    help: ArgumentHelp(
      "A stack, or 'all' for the six; repeatable. 'stackbench topologies' lists them. (default: all)",
      valueName: "id[/variant]"),
    completion: .list([all] + Topology.known.map(\.title)), transform: OptionValue.path)
  var names: [String] = []

  @Option(
    help: ArgumentHelp(
      "How worker-merge brings a save to the screen: short for --topology worker-merge/NAME, beside the other stacks.",
      discussion: "notification, automatic, reset or none.", valueName: "name"),
    completion: .list(variantNames(of: merging)),
    transform: OptionValue.name(of: variantNames(of: merging)))
  var merge: String?
}

// MARK: - Meaning

extension TopologyFlags {
  /// The topologies asked for, each once, in the order asked for.
  func topologies() throws -> [Topology] {
    var chosen: [Topology] = []
    for name in names.isEmpty ? [TopologyFlags.all] : names {
      for topology in try topologies(named: name) where !chosen.contains(where: { $0.title == topology.title }) {
        chosen.append(topology)
      }
    }
    return try replacingMerge(in: chosen)
  }

  private func topologies(named name: String) throws -> [Topology] {
    if name == TopologyFlags.all { return Topology.all }
    if let topology = Topology.named(name) { return [topology] }
    let nearest = NearestName.clause(name, among: Topology.all.map(\.id) + Topology.known.map(\.title))
    throw CommandFailure.usage("--topology \(name): not known; \(nearest)use all or one of \(TopologyFlags.knownNames)")
  }

  /// With `--merge`, the variant of `worker-merge` that it names in place of the plain one.
  private func replacingMerge(in chosen: [Topology]) throws -> [Topology] {
    guard let merge else { return chosen }
    let merging = TopologyFlags.merging
    guard let replacement = Topology.named("\(merging)/\(merge)") else {
      throw CommandFailure.usage("--merge \(merge): not known; use one of \(variantNames(of: merging))")
    }
    guard chosen.contains(where: { $0.id == merging }) else {
      throw CommandFailure.usage("--merge \(merge): concerns \(merging) only; add --topology \(merging)")
    }
    if let other = names.first(where: { $0.hasPrefix("\(merging)/") && $0 != replacement.title }) {
      throw CommandFailure.usage("--merge \(merge): contradicts --topology \(other); use one of the two")
    }
    return chosen.map { $0.id == merging ? replacement : $0 }
  }

  /// Every topology with its variants, as an error lists them.
  static var knownNames: String {
    Topology.known.map(\.title).joined(separator: ", ")
  }
}

/// The variants of a topology, the default first.
private func variantNames(of id: String) -> [String] {
  Topology.known.filter { $0.id == id }.compactMap(\.variant)
}
