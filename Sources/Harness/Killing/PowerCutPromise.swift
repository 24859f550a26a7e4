/// The part of a store that SQLite promises after a power cut. It depends on the journal mode and the synchronous mode.
package enum PowerCutPromise: Hashable, Sendable {
  /// The file may be damaged.
  case nothing
  /// The store has whole saves, of which the last ones may be missing.
  case wholeSaves
  /// The store has each save whose COMMIT has returned.
  case everyCommit
}

extension RunOptions {
  /// The part of the store that SQLite promises when the app dies. The system keeps what a killed process has written,
  /// so that only a power cut loses commits.
  package var promiseAtDeath: PowerCutPromise {
    guard fileFault?.kind == .powerCut else { return .everyCommit }
    return switch (journalMode, synchronous) {
    case (_, "off"), ("memory", _), ("off", _): .nothing
    case (_, "normal"), ("delete", "full"): .wholeSaves
    default: .everyCommit
    }
  }
}
