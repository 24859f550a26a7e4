/// Compares a long list at rest with the rows that it should show, one row after the other and without a copy of them.
///
/// The comparison finds that a list is right. It does not say what is wrong with a list.
package struct LongListCheck {
  private let described: WorkloadSchema.Entity
  private let list: ShownList?
  private let rows: Answer.Rows
  /// The last acknowledged edit of each row that was edited.
  private var notes: [RecordKey: FieldValue] = [:]
  private var isSeen: [Bool]
  private var count = 0
  private var last: Answer.Row?
  private var hasDifference = false

  /// Creates a check of a screen's list, or returns nil if the rows of the answer are in memory. Such a list is compared
  /// as a whole.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in the schema.
  ///   - list: The condition on the rows, or nil if the list has all rows.
  ///   - schema: The schema of the rows.
  ///   - answer: The rows.
  ///   - journal: The acknowledged edits.
  package init?(entity: Int, list: ShownList?, schema: WorkloadSchema, answer: Answer, journal: EditJournal) {
    rows = answer.tables[entity].rows
    guard rows.areInFile else { return nil }
    described = schema.entities[entity]
    self.list = list
    isSeen = Array(repeating: false, count: rows.count)
    for edit in journal.edits where edit.entity == entity { notes[edit.key] = edit.noteValue }
  }

  /// Adds the next row of the list.
  ///
  /// Complexity: O(log n) in the rows of the answer.
  package mutating func add(_ row: ListChecker.Row) {
    guard !hasDifference else { return }
    hasDifference = true
    guard let place = rows.place(of: row.key), !isSeen[place] else { return }
    let right = rows[place]
    if let last, described.lists(right.values, before: last.values) { return }
    var shown = described.shownIndexes.map { right.values[$0] }
    if described.editedAttribute != nil { shown.append(notes[row.key] ?? right.edited) }
    guard list?.contains(right.values) ?? true, shown == row.shown else { return }
    isSeen[place] = true
    count += 1
    last = right
    hasDifference = false
  }

  /// True if the added rows are the whole list in its order.
  ///
  /// Complexity: O(n) in the rows of the answer if the list has a condition.
  package var isRight: Bool {
    guard !hasDifference else { return false }
    return count == list.map { list in rows.count { list.contains($0.values) } } ?? rows.count
  }
}
