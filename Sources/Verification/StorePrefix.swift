import CSQLite
import Foundation
import Workloads

/// How much of each lane's import a store holds that a killed process left: whole units from the first on, or it is not
/// consistent.
///
/// A unit is saved as one, and a lane's units are saved in their order, in every stack; so whenever the process dies, what
/// is on the disk is for each lane the state after some number of its units.
package struct StorePrefix: Sendable {
  /// For each lane, how many units the store holds; the nearest number where none fits.
  package private(set) var unitCounts: [Int] = []
  /// Why the store is no such state, as sentences; empty if it is one.
  package private(set) var problems: [String] = []
  /// What the edited property of each row holds; rows without it are left out.
  package private(set) var notes: [RowName: String] = [:]
}

extension StorePrefix {
  /// What a workload writes, cut as the import cuts it.
  package struct Import {
    package var schema: WorkloadSchema
    /// The rows before the first payload.
    package var existing: [ImportRecord]
    /// The units of each lane, in their order.
    package var lanes: [[ArraySlice<ImportRecord>]]

    package init(schema: WorkloadSchema, existing: [ImportRecord], lanes: [[ArraySlice<ImportRecord>]]) {
      self.schema = schema
      self.existing = existing
      self.lanes = lanes
    }
  }

  /// Opens the store as the app's next launch would, which recovers it, and reads it.
  ///
  /// Complexity: O(n) in the records and rows.
  /// - Throws: `VerificationError` if there is no file that can be opened.
  package init(ofStoreAt file: URL, against imported: Import) throws(VerificationError) {
    try SQLiteFile.recover(file)
    let contents: StoreContents
    do {
      contents = try StoreContents(of: try SQLiteFile(reading: file), schema: imported.schema)
    } catch {
      unitCounts = imported.lanes.map { _ in 0 }
      problems = ["the store cannot be read: \(error.message)"]
      return
    }
    problems = contents.integrityProblems.map { "the integrity check says: \($0)" }
    for (entity, rows) in contents.tables.enumerated() {
      for row in rows {
        guard let key = row.key, case .string(let note) = row.note else { continue }
        notes[RowName(entity: entity, key: key)] = note
      }
    }
    var stored = self.rows(of: contents.canonicalTables(schema: imported.schema), imported.schema)
    compare(&stored, with: imported)
  }

  /// By name; a row without a key, or one of several of a key, is a problem.
  private mutating func rows(
    of tables: [CanonicalTable], _ schema: WorkloadSchema
  ) -> [RowName: CanonicalTable.Row] {
    var rows: [RowName: CanonicalTable.Row] = [:]
    for (entity, table) in tables.enumerated() {
      for row in table.rows {
        guard let key = row.key else {
          problems.append("a row of \(schema.entities[entity].name) has no key")
          continue
        }
        if rows.updateValue(row, forKey: RowName(entity: entity, key: key)) != nil {
          problems.append("\(schema.entities[entity].name) \(key) is there more than once")
        }
      }
    }
    return rows
  }

  /// `stored` loses the rows that are accounted for.
  private mutating func compare(_ stored: inout [RowName: CanonicalTable.Row], with imported: Import) {
    var model = AnswerModel(schema: imported.schema)
    for record in imported.existing { model.apply(record) }
    let base = model.answer()
    var touched: Set<RowName> = []
    for (lane, units) in imported.lanes.enumerated() {
      let lane = LaneHistory(units, lane: lane, base, &model)
      let (count, differences) = lane.bestUnitCount(stored)
      unitCounts.append(count)
      if differences > 0 {
        problems.append(
          "lane \(lane.number) holds no whole number of units: \(differences) rows differ from \(count) units")
      }
      for name in lane.names { stored[name] = nil }
      touched.formUnion(lane.names)
    }
    // What no payload touches is as it was.
    for (entity, table) in base.tables.enumerated() {
      for row in table.rows {
        let name = RowName(entity: entity, key: row.key)
        guard !touched.contains(name) else { continue }
        if !(stored.removeValue(forKey: name)?.isSame(as: row) ?? false) {
          problems.append("\(imported.schema.entities[entity].name) \(row.key) is not as it was before the import")
        }
      }
    }
    if !stored.isEmpty { problems.append("\(stored.count) rows are there that nothing made") }
  }
}

/// What each unit of a lane does to the rows that the lane touches.
private struct LaneHistory {
  let number: Int
  /// The rows that some unit touches, each once.
  private(set) var names: [RowName] = []
  /// What those were before the first unit, in step with `names`.
  private var first: [Answer.Row?] = []
  /// What each unit leaves of the rows that it touches.
  private var units: [[(name: RowName, row: Answer.Row?)]] = []

  /// Applies the units to the model.
  ///
  /// - Parameter base: the rows before any lane's first unit; no other lane touches what this one does.
  init(_ units: [ArraySlice<ImportRecord>], lane: Int, _ base: Answer, _ model: inout AnswerModel) {
    number = lane
    var known: Set<RowName> = []
    for unit in units {
      var inUnit: Set<RowName> = []
      var touched: [RowName] = []
      for record in unit {
        for (entity, key) in model.change(record) {
          let name = RowName(entity: entity, key: key)
          if known.insert(name).inserted {
            names.append(name)
            first.append(base.tables[entity][key])
          }
          if inUnit.insert(name).inserted { touched.append(name) }
        }
      }
      self.units.append(touched.map { ($0, model.row($0.entity, $0.key)) })
    }
  }

  /// The largest number of units after which the fewest rows differ from what is stored, and how many do.
  func bestUnitCount(_ stored: [RowName: CanonicalTable.Row]) -> (count: Int, differences: Int) {
    var differing = Set(zip(names, first).filter { !Self.isSame(stored[$0.0], $0.1) }.map(\.0))
    var best = (count: 0, differences: differing.count)
    for (index, unit) in units.enumerated() {
      for (name, row) in unit {
        if Self.isSame(stored[name], row) { differing.remove(name) } else { differing.insert(name) }
      }
      if differing.count <= best.differences { best = (index + 1, differing.count) }
    }
    return best
  }

  private static func isSame(_ stored: CanonicalTable.Row?, _ right: Answer.Row?) -> Bool {
    guard let right else { return stored == nil }
    return stored?.isSame(as: right) ?? false
  }
}

extension CanonicalTable.Row {
  fileprivate func isSame(as right: Answer.Row) -> Bool {
    values.isSame(as: right.values) && links == right.links.map { $0.map(CanonicalTable.Link.row) ?? .absent }
  }
}

extension SQLiteFile {
  /// Opens a store for writing, once: SQLite then rolls back or takes in what a killed process left beside it.
  ///
  /// - Throws: `VerificationError` if it cannot be opened; a damaged file is found when it is read.
  static func recover(_ file: URL) throws(VerificationError) {
    let path = file.path(percentEncoded: false)
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    defer { sqlite3_close(opened) }
    guard code == SQLITE_OK else {
      throw VerificationError(
        message: "the store cannot be opened: \(String(cString: sqlite3_errstr(code)))", path: path, code: code)
    }
    sqlite3_exec(opened, "SELECT count(*) FROM sqlite_schema", nil, nil, nil)
  }
}
