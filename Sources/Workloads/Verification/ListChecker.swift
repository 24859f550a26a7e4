/// Compares a screen's list at rest with the rows that it should show.
package struct ListChecker: Sendable {
  /// A row as a screen shows it.
  package struct Row: Hashable, Sendable {
    package var key: RecordKey
    /// The values of the entity's `shownAttributes`, the edited one last.
    package var shown: [FieldValue]

    package init(key: RecordKey, shown: [FieldValue]) {
      self.key = key
      self.shown = shown
    }
  }

  /// The differences of a list, counted in rows. Each row counts once.
  package struct Difference: Hashable, Sendable {
    package internal(set) var missingCount = 0
    /// The number of rows whose keys should not be in the list, and of repeated rows.
    package internal(set) var extraCount = 0
    /// The smallest number of rows that must move to bring the others into order.
    package internal(set) var misplacedCount = 0
    /// The number of rows that are in their place and show a wrong value.
    package internal(set) var differingCount = 0
    /// The first few differences as sentences.
    package internal(set) var sentences: [String] = []

    package init() {}

    package var staleRowsCount: Int { missingCount + extraCount + misplacedCount + differingCount }
  }

  /// The rows that a list should show, before the user's edits. They depend on the workload alone, so that all trials can
  /// use the same.
  package struct RightList: Sendable {
    fileprivate let entity: Int
    fileprivate let name: String
    fileprivate let shownNames: [String]
    /// The rows in the order of the list.
    fileprivate let rows: [Row]
    /// The places of the rows of each key in `rows`.
    fileprivate let places: [RecordKey: [Int]]
    /// The place of the first row that is sorted alike, for each row. Such rows may be in any order.
    fileprivate let ranks: [Int]
    /// True if the last shown value is the attribute that the user edits.
    fileprivate let isEdited: Bool

    /// Creates the list of an entity's rows in an answer.
    ///
    /// Complexity: O(n log n) in the rows.
    /// - Parameters:
    ///   - entity: The index of the entity in the schema.
    ///   - list: The condition on the rows, or nil if the list has all rows.
    ///   - schema: The schema of the rows.
    ///   - answer: The rows.
    package init(entity: Int, list: ShownList? = nil, schema: WorkloadSchema, answer: Answer) {
      let rows = answer.tables[entity].rows.map { (key: $0.key, values: $0.values, edited: $0.edited) }
      self.init(entity: entity, list: list, schema: schema, rows: rows)
    }

    /// Creates the list of an entity's rows in a store, which have been checked. Several rows may have the same key.
    ///
    /// Complexity: O(n log n) in the rows.
    /// - Parameters:
    ///   - entity: The index of the entity in the schema.
    ///   - list: The condition on the rows, or nil if the list has all rows.
    ///   - schema: The schema of the rows.
    ///   - contents: The rows of the store.
    package init(entity: Int, list: ShownList? = nil, schema: WorkloadSchema, contents: ClosedStore) {
      let rows = contents.tables[entity].compactMap { row in
        row.key.map { (key: $0, values: row.values, edited: row.note) }
      }
      self.init(entity: entity, list: list, schema: schema, rows: rows)
    }

    private init(
      entity: Int, list: ShownList?, schema: WorkloadSchema,
      rows: [(key: RecordKey, values: [FieldValue], edited: FieldValue)]
    ) {
      let described = schema.entities[entity]
      let isEdited = described.editedAttribute != nil
      let sorted = rows.filter { list?.contains($0.values) ?? true }
        .sorted { described.lists($0.values, before: $1.values) }
      var ranks: [Int] = []
      for place in sorted.indices {
        let isEqual = place > 0 && !described.lists(sorted[place - 1].values, before: sorted[place].values)
        ranks.append(isEqual ? ranks[place - 1] : place)
      }
      self.entity = entity
      self.isEdited = isEdited
      self.ranks = ranks
      name = described.name
      shownNames = described.shownAttributes.map(\.name)
      self.rows = sorted.map { row in
        Row(key: row.key, shown: described.shownIndexes.map { row.values[$0] } + (isEdited ? [row.edited] : []))
      }
      places = Dictionary(grouping: sorted.indices, by: { sorted[$0].key })
    }
  }

  private let right: RightList
  /// The last acknowledged edit of each row that was edited.
  private let notes: [RecordKey: FieldValue]
  /// The keys of the rows whose edited value is not compared.
  private let excused: Set<RecordKey>

  /// Creates a checker for screens that list one entity.
  ///
  /// Complexity: O(n) in the edits.
  /// - Parameters:
  ///   - right: The rows of the right list.
  ///   - journal: The acknowledged edits, of which the last one of each row replaces the row's edited value.
  ///   - excused: The rows whose edited value is not compared, such as those whose edit is known to be lost.
  package init(_ right: RightList, journal: EditJournal = EditJournal(), excused: Set<RowName> = []) {
    self.right = right
    var notes: [RecordKey: FieldValue] = [:]
    for edit in journal.edits where edit.entity == right.entity && right.isEdited { notes[edit.key] = edit.noteValue }
    self.notes = notes
    self.excused = Set(excused.lazy.filter { $0.entity == right.entity }.map(\.key))
  }

  /// Compares a whole list with the right one.
  ///
  /// Complexity: O(n) in the rows if the list is as expected, otherwise O(n log n).
  package func compare(_ rows: [Row]) -> Difference {
    var difference = Difference()
    let isSame =
      rows.count == right.rows.count
      && rows.indices.allSatisfy { rows[$0].key == right.rows[$0].key && firstDifference(rows[$0], at: $0) == nil }
    if isSame { return difference }
    var isSeen = [Bool](repeating: false, count: right.rows.count)
    var present: [(row: Row, place: Int)] = []
    present.reserveCapacity(rows.count)
    for row in rows {
      let free = (right.places[row.key] ?? []).filter { !isSeen[$0] }
      // The row that shows the same values is chosen among several rows of one key.
      if let place = free.first(where: { firstDifference(row, at: $0) == nil }) ?? free.first {
        isSeen[place] = true
        present.append((row, place))
      } else {
        let reason = right.places[row.key] == nil ? "should not be" : "appears there already"
        difference.extraCount += 1
        difference.note("\(right.name) \(row.key) is in the list and \(reason)")
      }
    }
    for place in right.rows.indices where !isSeen[place] {
      difference.missingCount += 1
      difference.note("\(right.name) \(right.rows[place].key) is not in the list")
    }
    let isInOrder = ListChecker.isInLongestIncrease(present.map { right.ranks[$0.place] })
    for (index, (row, place)) in present.enumerated() {
      if !isInOrder[index] {
        difference.misplacedCount += 1
        difference.note("\(right.name) \(row.key) is in the wrong place")
      } else if let shown = firstDifference(row, at: place) {
        difference.differingCount += 1
        difference.note("\(right.name) \(row.key) shows \(text(of: shown, of: row, at: place, "should show"))")
      }
    }
    return difference
  }

  /// Compares rows that need not be a whole list, in any order: a row counts if it should not exist or shows a wrong
  /// value.
  package func compareSome(_ rows: [Row]) -> Difference {
    var difference = Difference()
    for row in rows {
      guard let known = right.places[row.key], let first = known.first else {
        difference.extraCount += 1
        difference.note("\(right.name) \(row.key) should not be")
        continue
      }
      let isRight = known.contains { firstDifference(row, at: $0) == nil }
      guard !isRight, let shown = firstDifference(row, at: first) else { continue }
      difference.differingCount += 1
      difference.note("\(right.name) \(row.key) has \(text(of: shown, of: row, at: first, "should have"))")
    }
    return difference
  }

  private func text(of shown: Int, of row: Row, at place: Int, _ verb: String) -> String {
    "\(right.shownNames[shown]) \(row.shown[shown].text) and \(verb) \(value(shown, ofRowAt: place).text)"
  }

  /// Returns the first of the shown values in which a row differs from the one at a place of the right list.
  private func firstDifference(_ row: Row, at place: Int) -> Int? {
    let count = right.rows[place].shown.count
    guard row.shown.count == count else {
      fatalError("a row of \(right.name) shows \(row.shown.count) values and its cell has \(count)")
    }
    let compared = right.isEdited && excused.contains(row.key) ? count - 1 : count
    return (0..<compared).first { row.shown[$0] != value($0, ofRowAt: place) }
  }

  /// Returns a value that the row at a place of the right list should show.
  private func value(_ shown: Int, ofRowAt place: Int) -> FieldValue {
    let row = right.rows[place]
    guard right.isEdited, shown == row.shown.count - 1, !notes.isEmpty else { return row.shown[shown] }
    return notes[row.key] ?? row.shown[shown]
  }

  /// Indicates for each element whether it belongs to a longest subsequence that does not decrease and can stay where it
  /// is.
  private static func isInLongestIncrease(_ places: [Int]) -> [Bool] {
    // `tails[n]` is the index of the smallest element so far that ends such a subsequence of length n + 1.
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: places.count)
    for (index, place) in places.enumerated() {
      var low = 0
      var high = tails.count
      if let last = tails.last, places[last] <= place { low = high }
      while low < high {
        let middle = (low + high) / 2
        if places[tails[middle]] <= place { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var isIncluded = [Bool](repeating: false, count: places.count)
    var index = tails.last ?? -1
    while index >= 0 {
      isIncluded[index] = true
      index = previous[index]
    }
    return isIncluded
  }
}

extension ListChecker.Difference {
  fileprivate mutating func note(_ sentence: @autoclosure () -> String) {
    if sentences.count < VerificationReport.largestSentenceCount { sentences.append(sentence()) }
  }
}
