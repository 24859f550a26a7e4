/// A subject of the comparison.
package enum Subject: String, CaseIterable, Sendable {
  case stackbench
  /// libsqlite3 by its C API, as fast as it can be written without tricks. Every ratio is relative to it.
  case raw
  /// GRDB's Codable records.
  case grdbRecords = "grdb-records"
  /// GRDB's prepared statements.
  case grdbPrepared = "grdb-prepared"
  case sqlalchemyORM = "sqlalchemy-orm"
  case sqlalchemyCore = "sqlalchemy-core"

  /// True if the subject is a Python program, which times itself and runs fewer rounds.
  package var isPython: Bool { self == .sqlalchemyORM || self == .sqlalchemyCore }

  /// Returns true if the subject can run the case. Contexts nest, merge and feed lists in the engine only. A save
  /// through three levels is compared with the raw import that it ends in.
  package func takesPart(in benchmark: BenchmarkCase) -> Bool {
    switch benchmark {
    case .insert, .fetch, .fault, .update, .delete, .findOrCreate: true
    case .threeLevels: self == .stackbench || self == .raw
    case .reread, .mergeUpdates, .mergeInserts, .mergeRealised, .controller: self == .stackbench
    }
  }
}
