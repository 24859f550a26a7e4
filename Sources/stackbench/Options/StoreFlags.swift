import ArgumentParser
import Harness
import Topologies

/// How contexts and the store behave.
struct StoreFlags: ParsableArguments {
  private static let standard = RunOptions()
  private static let mergePolicies = ["error", "store-trump", "object-trump", "overwrite", "rollback"]
  private static let journalModes = ["wal", "delete", "truncate", "persist", "memory", "off"]
  private static let synchronousModes = ["off", "normal", "full", "extra"]

  @Option(
    help: ArgumentHelp(
      "What every context on a coordinator does about conflicts: error, store-trump, object-trump, overwrite, rollback. (default: \(standard.mergePolicy))",
      valueName: "name"),
    completion: .list(mergePolicies),
    transform: OptionValue.name(of: mergePolicies))
  var mergePolicy = standard.mergePolicy

  @Option(
    help: ArgumentHelp(
      "When a root saves to the store; in reversed-parent and three-tier alone. (default: \(standard.storeSave))",
      discussion: "immediate: after every push and unit; every:MS: that long after the first unsaved change; "
        + "idle:MS: once nothing has been pushed for that long; at-end: when the import has ended. Any but immediate is refused if one "
        + "of the stacks has no such root, so name the stacks with --topology.",
      valueName: "immediate|every:ms|idle:ms|at-end"),
    transform: OptionValue.storeSave)
  var storeSave = standard.storeSave

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The coordinator's connections; 1 = a serial coordinator, as before iOS 10. (default: \(standard.connectionPool) live; the profile's, simulated)",
      valueName: "n"),
    transform: OptionValue.integer(in: 1...64))
  var connectionPool: Int?

  @Option(
    help: ArgumentHelp(
      "SQLite's journal mode: wal, delete, truncate, persist, memory or off. (default: \(standard.journalMode) live; the profile's, simulated)",
      valueName: "mode"),
    completion: .list(journalModes),
    transform: OptionValue.name(of: journalModes))
  var journalMode: String?

  @Option(
    help: ArgumentHelp(
      "SQLite's synchronous mode: off, normal, full or extra. "
        + "(default: \(standard.synchronous) live; the profile's, simulated)", valueName: "mode"),
    completion: .list(synchronousModes),
    transform: OptionValue.name(of: synchronousModes))
  var synchronous: String?
}

// MARK: - Meaning

extension StoreFlags {
  /// Fills in what concerns contexts and the store.
  ///
  /// - Throws: `CommandFailure` when a topology has no root whose saves could be put off.
  func apply(to options: inout RunOptions, of topologies: [Topology]) throws {
    if storeSave != .immediate, let other = topologies.first(where: { $0.savingRoot == nil }) {
      let able = Topology.all.filter { $0.savingRoot != nil }.map(\.id)
      throw CommandFailure.usage(
        "--store-save \(storeSave): \(other.title) has no root that saves to the store by itself; "
          + "use --topology \(able.joined(separator: " or ")), or immediate")
    }
    options.mergePolicy = mergePolicy
    options.storeSave = storeSave
    options.connectionPool = connectionPool ?? options.connectionPool
    options.journalMode = journalMode ?? options.journalMode
    options.synchronous = synchronous ?? options.synchronous
  }
}
