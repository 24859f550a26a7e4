import Foundation

/// The part of each lane's import that is in a store left by a killed process. A consistent store holds whole units,
/// from the first one on.
///
/// In every stack, a unit is saved as a whole and a lane's units are saved in order. Whenever the process dies, the
/// disk therefore holds, for each lane, the state after some number of its units.
package struct StorePrefix: Sendable {
  /// The number of units that the store holds for each lane, or the nearest number if the store fits no number exactly.
  package private(set) var unitCounts: [Int] = []
  /// Sentences that say why the store is not in such a state, or an empty array if it is.
  package private(set) var problems: [String] = []
  /// The number of problems that SQLite's integrity check reports, or 1 if the store cannot be read.
  package private(set) var integrityProblemCount = 0
  /// The number of lanes of which the store holds no whole number of units.
  package private(set) var halfWrittenCount = 0
  /// The value of the edited property of each row. Rows without a value are left out.
  package private(set) var notes: [RowName: String] = [:]
}

extension StorePrefix {
  /// The records that a workload writes, divided into units as the import divides them.
  package struct Import {
    package var schema: WorkloadSchema
    /// The rows of the store from which the run starts, or nil if it starts from an empty store.
    package var start: StartingRows?
    /// The records of the rows that are in the store before the first payload.
    package var existing: [ImportRecord]
    /// The units of each lane, in order.
    package var lanes: [[ArraySlice<ImportRecord>]]

    package init(
      schema: WorkloadSchema, start: StartingRows? = nil, existing: [ImportRecord], lanes: [[ArraySlice<ImportRecord>]]
    ) {
      self.start = start
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
    let contents: ClosedStore
    do {
      contents = try ClosedStore(
        of: try SQLiteFile(reading: file), schema: imported.schema,
        numberedRows: imported.start.map { NumberedRows($0.answer, imported.schema) })
    } catch {
      unitCounts = imported.lanes.map { _ in 0 }
      problems = ["the store cannot be read: \(error.message)"]
      integrityProblemCount = 1
      return
    }
    problems = contents.integrityProblems.map { "the integrity check says: \($0)" }
    integrityProblemCount = problems.count
    for (entity, rows) in contents.tables.enumerated() {
      for row in rows {
        // A value that the row had at the start is not an edit.
        guard let key = row.key, case .string(let note) = row.note,
          imported.start?.answer.tables[entity][key]?.edited != row.note
        else { continue }
        notes[RowName(entity: entity, key: key)] = note
      }
    }
    var stored = self.rows(of: contents.canonicalTables(schema: imported.schema), imported.schema)
    compare(&stored, with: imported)
  }

  /// Returns the rows by name. A row without a key and a second row of one key are problems.
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
          problems.append("\(schema.entities[entity].name) \(key) exists more than once")
        }
      }
    }
    return rows
  }

  /// Compares the stored rows with the import, and removes from `stored` each row that the import accounts for.
  private mutating func compare(_ stored: inout [RowName: CanonicalTable.Row], with imported: Import) {
    var model = AnswerModel(schema: imported.schema)
    if let start = imported.start { model.add(start) }
    for record in imported.existing { model.apply(record) }
    let base = model.answer()
    var touched: Set<RowName> = []
    for (lane, units) in imported.lanes.enumerated() {
      let lane = LaneHistory(units, lane: lane, base, &model)
      let (count, differences) = lane.bestUnitCount(stored)
      unitCounts.append(count)
      if differences > 0 {
        halfWrittenCount += 1
        problems.append(
          "lane \(lane.number) does not hold a whole number of units: \(differences) rows differ from \(count) units")
      }
      for name in lane.names { stored[name] = nil }
      touched.formUnion(lane.names)
    }
    // Rows that no payload touches must be as they were before the import.
    for (entity, table) in base.tables.enumerated() {
      for row in table.rows {
        let name = RowName(entity: entity, key: row.key)
        guard !touched.contains(name) else { continue }
        if !(stored.removeValue(forKey: name)?.isSame(as: row) ?? false) {
          problems.append("\(imported.schema.entities[entity].name) \(row.key) differs from the row before the import")
        }
      }
    }
    if !stored.isEmpty { problems.append("\(stored.count) rows exist that neither the import nor the user inserted") }
  }
}

/// The effect of each unit of a lane on the rows that the lane touches.
private struct LaneHistory {
  let number: Int
  /// The names of the rows that some unit touches, each once.
  private(set) var names: [RowName] = []
  /// The state of each row of `names` before the first unit, in the same order, or nil for a row that did not exist.
  private var first: [Answer.Row?] = []
  /// The rows that each unit touches and their state after it, or nil for a row that does not exist then.
  private var units: [[(name: RowName, row: Answer.Row?)]] = []

  /// Creates the history of a lane, and applies its units to the model.
  ///
  /// `base` has the rows before any lane's first unit. No other lane touches the rows that this lane touches.
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

  /// Returns the number of units after which the fewest rows differ from the stored ones, and the number of differing
  /// rows. If several numbers of units fit equally well, the largest is returned.
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
    values.isSame(as: right.values) && targets == right.canonicalTargets
  }
}
