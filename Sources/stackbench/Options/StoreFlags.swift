import ArgumentParser
import Harness

/// How contexts and the store behave.
struct StoreFlags: ParsableArguments {
  private static let standard = RunOptions()

  @Option(
    help: ArgumentHelp(
      "What every context on a coordinator does about conflicts: error, store-trump, object-trump, overwrite, rollback. (default: \(standard.mergePolicy))",
      valueName: "name"),
    transform: OptionValue.name(of: ["error", "store-trump", "object-trump", "overwrite", "rollback"]))
  var mergePolicy = standard.mergePolicy

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
    transform: OptionValue.name(of: ["wal", "delete", "truncate", "persist", "memory", "off"]))
  var journalMode: String?

  @Option(
    help: ArgumentHelp(
      "SQLite's synchronous mode: off, normal, full or extra. (default: \(standard.synchronous) live; the profile's, simulated)", valueName: "mode"),
    transform: OptionValue.name(of: ["off", "normal", "full", "extra"]))
  var synchronous: String?
}

// MARK: - Meaning

extension StoreFlags {
  /// Fills in what concerns contexts and the store.
  func apply(to options: inout RunOptions) {
    options.mergePolicy = mergePolicy
    options.connectionPool = connectionPool ?? options.connectionPool
    options.journalMode = journalMode ?? options.journalMode
    options.synchronous = synchronous ?? options.synchronous
  }
}
