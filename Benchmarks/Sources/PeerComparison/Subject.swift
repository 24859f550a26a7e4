/// A subject of the comparison.
package enum Subject: String, CaseIterable, Sendable {
  case stackbench
  /// libsqlite3 by its C API, as fast as it can be written without tricks. Cases with SQL are relative to it.
  case raw
  /// A dictionary of structs refreshed in place, and a sorted array with binary search. Cases in which no SQL runs are
  /// relative to it.
  case byHand = "by-hand"
  /// GRDB's Codable records.
  case grdbRecords = "grdb-records"
  /// GRDB's prepared statements.
  case grdbPrepared = "grdb-prepared"
  case sqlalchemyORM = "sqlalchemy-orm"
  case sqlalchemyCore = "sqlalchemy-core"

  /// True if the subject is a Python program, which times itself and runs fewer rounds.
  package var isPython: Bool { self == .sqlalchemyORM || self == .sqlalchemyCore }

  /// Returns true if the subject can run the case. A save through three levels is compared with the raw import that it
  /// ends in. Merges and lists are compared with structs that are kept by hand. SQLAlchemy Core has no unsaved objects.
  package func takesPart(in benchmark: BenchmarkCase) -> Bool {
    switch benchmark {
    case .insert, .fetch, .fault, .update, .delete, .findOrCreate: self != .byHand
    case .scroll, .saveOne, .cascade, .prefetch, .payloads: self != .byHand
    case .fetchUnsaved: self != .byHand && self != .sqlalchemyCore
    case .threeLevels: self == .stackbench || self == .raw
    case .reread, .mergeUpdates, .mergeInserts, .mergeRealised, .controller, .mergeIntoList:
      self == .stackbench || self == .byHand
    }
  }
}
