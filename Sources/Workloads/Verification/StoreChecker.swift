import Foundation

/// Checks a closed store file against the right answer, with plain SQLite code that is independent of the engine.
package struct StoreChecker: Sendable {
  private let schema: WorkloadSchema

  package init(schema: WorkloadSchema) {
    self.schema = schema
  }

  /// Returns the digest that a right store has. It is computed from the answer alone.
  package func digest(of answer: Answer) -> String {
    StoreDigest.hexadecimal(of: RightRows(answer, schema: schema))
  }

  /// Reads the whole file and compares it with the answer and the journal.
  ///
  /// The store must be closed: the file is opened for reading only, without taking part in SQLite's locking.
  ///
  /// Complexity: O(n log n) in the rows.
  /// - Parameters:
  ///   - file: The store's main file.
  ///   - answer: The rows that the store must hold.
  ///   - journal: The edits that were acknowledged.
  ///   - history: The content of all records, which distinguishes a row out of order from a wrong one.
  ///   - base: The closed store from which the trial started, or nil if it has no rows but those of the answer.
  ///   - right: The right store of the answer, if it is known already. A store that has these rows is not read again;
  ///     edits are compared in either case.
  ///   - shared: The rules for rows that several lanes write, or nil if each key belongs to one lane. With them, the
  ///     report has no digest, because stores that differ may all be right, and it has the stored rows.
  ///   - isOvertaken: True if payloads were imported at the same time, so that a row may hold what any record of its key
  ///     gave to it. It needs a history, and the report has the stored rows and no digest.
  /// - Returns: The report with the digest and the problems.
  /// - Throws: `VerificationError` if there is no file that can be opened. Any fault inside the file becomes a problem
  ///   in the report instead.
  package func check(
    storeAt file: URL, against answer: Answer, journal: EditJournal, history: RecordHistory? = nil, base: URL? = nil,
    right: RightStore? = nil, shared: SharedRowRules? = nil, isOvertaken: Bool = false
  ) throws(VerificationError) -> VerificationReport {
    let file = try SQLiteFile(reading: file)
    var report = VerificationReport()
    let edits = EditComparison(schema: schema, journal: journal)
    // A file that cannot be read is reported below.
    if let right, shared == nil, !isOvertaken, base == nil, let notes = try? right.notes(in: file, ofRows: edits.names)
    {
      report.digest = right.digest
      edits.compare(notes.mapValues { [$0] }, with: answer, report: &report)
      return report
    }
    let contents: ClosedStore
    do {
      contents = try ClosedStore(
        of: file, schema: schema, numberedRows: schema.startsFromStore ? NumberedRows(answer, schema) : nil)
    } catch {
      report.add(nil, "the store cannot be read: \(error.message)" + (error.sql.map { " (in \($0))" } ?? ""))
      return report
    }
    for message in contents.integrityProblems {
      report.add(nil, "the integrity check says: \(message)")
    }
    checkCounters(contents, report: &report)

    let tables = contents.canonicalTables(schema: schema)
    let comparison = RowComparison(schema: schema, history: history, shared: shared)
    if isOvertaken, let history {
      OvertakenRowComparison(schema: schema, history: history).compare(tables, with: answer, &report)
      report.contents = contents
    } else if shared == nil {
      report.digest = StoreDigest.hexadecimal(of: tables, schema: schema)
      if report.digest != right?.digest ?? digest(of: answer) {
        comparison.compare(tables, with: answer, &report)
      }
    } else {
      comparison.compare(tables, with: answer, &report)
      report.contents = contents
    }
    if let base { try KeptValues(schema).compare(file, with: base, report: &report) }
    edits.compare(contents, with: answer, report: &report)
    return report
  }

  /// Checks that `Z_PRIMARYKEY` has a row for each entity with a largest key that no row exceeds, and that all rows
  /// carry the number of their entity.
  private func checkCounters(_ contents: ClosedStore, report: inout VerificationReport) {
    for (index, rows) in contents.tables.enumerated() {
      let entity = schema.entities[index]
      guard let own = contents.counters[entity.name] else {
        report.add(nil, "Z_PRIMARYKEY has no row for \(entity.name)")
        continue
      }
      // Entities of one table share the last key of the entity that they all inherit from.
      let root = schema.entities[schema.tableRoot(of: index)]
      let listed = contents.counters[root.name]?.largest ?? own.largest
      let largest = rows.reduce(0) { max($0, $1.number) }
      if listed < largest {
        report.add(nil, "Z_PRIMARYKEY says that the largest key of \(entity.name) is \(listed), and it is \(largest)")
      }
      for row in rows where row.entityNumber != own.entityNumber {
        report.add(
          nil, "row \(row.number) of \(entity.name) has Z_ENT \(row.entityNumber) and should have \(own.entityNumber)")
      }
    }
  }
}
