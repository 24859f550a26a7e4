/// Finds the acknowledged edits that a store does not hold.
struct EditComparison {
  private let schema: WorkloadSchema
  /// The values that `note` was set to, in order, for each row that was edited.
  private let values: [RowName: [FieldValue]]
  /// The edited rows in the order of their first edit.
  let names: [RowName]

  init(schema: WorkloadSchema, journal: EditJournal) {
    self.schema = schema
    var values: [RowName: [FieldValue]] = [:]
    var names: [RowName] = []
    for edit in journal.edits {
      if values[edit.row] == nil { names.append(edit.row) }
      values[edit.row, default: []].append(edit.noteValue)
    }
    self.values = values
    self.names = names
  }

  /// Reports lost edits, edited rows that the answer does not contain, and values of `note` that no edit set.
  ///
  /// An edit is lost if no row of its key holds it and no later acknowledged edit of that row replaced it.
  func compare(_ contents: ClosedStore, with answer: Answer, report: inout VerificationReport) {
    var notes: [RowName: [FieldValue]] = [:]
    for (entity, rows) in contents.tables.enumerated() {
      guard let edited = schema.entities[entity].editedAttribute?.name else { continue }
      for row in rows {
        guard let key = row.key else { continue }
        let name = RowName(entity: entity, key: key)
        if values.isEmpty || values[name] == nil {
          let first = schema.startsFromStore ? answer.tables[entity][key]?.edited ?? .null : .null
          if row.note != first {
            let wanted = first == .null ? "" : " and should be \(first.text)"
            report.add(nil, "\(title(name)): \(edited) is \(row.note.text)\(wanted), but it was never edited")
          }
        } else {
          notes[name, default: []].append(row.note)
        }
      }
    }
    compare(notes, with: answer, report: &report)
  }

  /// Reports lost edits and values of the edited attribute that no edit set. `notes` has the values of the edited rows.
  func compare(_ notes: [RowName: [FieldValue]], with answer: Answer, report: inout VerificationReport) {
    for name in names {
      compare(notes[name] ?? [], of: name, with: answer, report: &report)
    }
  }

  private func compare(
    _ notes: [FieldValue], of name: RowName, with answer: Answer, report: inout VerificationReport
  ) {
    guard let right = answer.tables[name.entity][name.key] else {
      report.add(nil, "\(title(name)) was edited, but a payload deletes it or no payload inserts it")
      return
    }
    let edits = values[name] ?? []
    let edited = schema.entities[name.entity].editedAttribute?.name ?? "note"
    for note in notes where note != right.edited && !edits.contains(note) {
      report.add(nil, "\(title(name)): \(edited) is \(note.text), which no acknowledged edit set")
    }
    guard let last = edits.last, !notes.contains(last) else { return }
    let found = notes.first.map { "\(edited) is \($0.text)" } ?? "the row is missing"
    report.add(.lostEdits, "\(title(name)): the edit to \(last.text) is lost; \(found)")
    report.lostEditsCount += 1
    report.lostEdits.insert(name)
  }

  private func title(_ name: RowName) -> String {
    "\(schema.entities[name.entity].name) \(name.key)"
  }
}

extension EditJournal.Edit {
  var row: RowName { RowName(entity: entity, key: key) }
  var noteValue: FieldValue { value.map(FieldValue.string) ?? .null }
}
