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
      "The coordinator's connections; 1 = a serial coordinator, as before iOS 10. (default: \(standard.connectionPool))",
      valueName: "n"),
    transform: OptionValue.integer(in: 1...64))
  var connectionPool = standard.connectionPool

  @Option(
    help: ArgumentHelp(
      "SQLite's journal mode: wal, delete, truncate, persist, memory or off. (default: \(standard.journalMode))",
      valueName: "mode"),
    transform: OptionValue.name(of: ["wal", "delete", "truncate", "persist", "memory", "off"]))
  var journalMode = standard.journalMode

  @Option(
    help: ArgumentHelp(
      "SQLite's synchronous mode: off, normal, full or extra. (default: \(standard.synchronous))", valueName: "mode"),
    transform: OptionValue.name(of: ["off", "normal", "full", "extra"]))
  var synchronous = standard.synchronous
}

// MARK: - Meaning

extension StoreFlags {
  /// Fills in what concerns contexts and the store.
  func apply(to options: inout RunOptions) {
    options.mergePolicy = mergePolicy
    options.connectionPool = connectionPool
    options.journalMode = journalMode
    options.synchronous = synchronous
  }
}
