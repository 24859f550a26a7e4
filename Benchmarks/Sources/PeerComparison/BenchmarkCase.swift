/// A case of the comparison: one operation that apps apply to many rows.
package enum BenchmarkCase: String, CaseIterable, Sendable {
  case insert
  case fetch
  case fault
  case update
  case delete
  case findOrCreate = "find-or-create"
  case threeLevels = "three-levels"
  case reread
  case mergeUpdates = "merge-updates"
  case mergeInserts = "merge-inserts"
  case mergeRealised = "merge-realised"
  case controller

  /// The contents of the store before the clock starts.
  package enum StartingStore: String, CaseIterable, Sendable {
    case empty
    /// All rows, in the table without an index over its code.
    case full
    /// Every second row, in the table with the index.
    case half
    /// The rows of a list on screen, in the table of `full`.
    case list
  }

  package var startingStore: StartingStore {
    switch self {
    case .insert, .threeLevels, .mergeInserts: .empty
    case .fetch, .fault, .update, .delete, .reread, .mergeUpdates, .mergeRealised: .full
    case .findOrCreate: .half
    case .controller: .list
    }
  }

  /// True if the case changes the file, which is then read and compared between the subjects.
  package var writes: Bool {
    switch self {
    case .insert, .update, .delete, .findOrCreate, .threeLevels: true
    case .fetch, .fault, .reread, .mergeUpdates, .mergeInserts, .mergeRealised, .controller: false
    }
  }

  /// True if the rows that were read are still held when the clock stops, so that their bytes can be counted.
  package var holdsRows: Bool { self == .fetch || self == .fault }

  /// The name of one unit of the case where times are printed.
  package var unit: String {
    switch self {
    case .reread: "property"
    case .mergeUpdates, .mergeInserts, .mergeRealised, .controller: "change"
    default: "row"
    }
  }

  /// The floor and the aim of the engine in the case.
  package var target: Target {
    switch self {
    case .insert: .ratio(floor: 0.50, aim: 0.70, againstRecords: 4)
    case .fetch: .ratio(floor: 0.50, aim: 0.70, againstRecords: 2.5)
    case .fault: .ratio(floor: 0.70, aim: 0.85, againstRecords: 5)
    case .update: .ratio(floor: 0.60, aim: 0.80, againstRecords: 5)
    case .delete: .ratio(floor: 0.60, aim: 0.80, againstRecords: 4)
    case .findOrCreate: .ratio(floor: 0.60, aim: 0.80, againstRecords: 2.5)
    case .threeLevels: .ratio(floor: 0.40, aim: 0.55, againstRecords: nil)
    case .reread: .time(floor: 30, aim: 15)
    case .mergeUpdates: .time(floor: 20, aim: 5)
    case .mergeInserts: .time(floor: 250, aim: 120)
    case .mergeRealised: .time(floor: 500, aim: 200)
    case .controller: .time(floor: 1_000, aim: 500)
    }
  }
}

/// A bound that must be kept, the floor, and one that is wanted, the aim.
package enum Target: Hashable, Sendable {
  /// Rows per second as a fraction of raw SQLite's, and as a multiple of GRDB's records.
  case ratio(floor: Double, aim: Double, againstRecords: Double?)
  /// The largest numbers of nanoseconds a unit.
  case time(floor: Double, aim: Double)
}
