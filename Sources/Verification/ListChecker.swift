import Workloads

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

  private let name: String
  private let shownNames: [String]
  /// The rows that the list should show.
  private let expected: [Row]
  /// The places of the rows of each key in `expected`.
  private let places: [RecordKey: [Int]]
  /// The place of the first row that is sorted alike, for each row. Such rows may be in any order.
  private let ranks: [Int]
  /// True if the last shown value is the attribute that the user edits.
  private let isEdited: Bool
  /// The keys of the rows whose edited value is not compared.
  private let excused: Set<RecordKey>

  /// Creates a checker for screens that list one entity. The right list has the answer's rows, with the last
  /// acknowledged edit of each. A row that was never edited has the value of the answer.
  ///
  /// `sortedRows` has the answer's rows in the order of the list; see `Answer.sortedRows(_:schema:)`. `list` has the
  /// condition on the rows, and `excused` has the rows whose `note` is not compared, such as those whose edit is known
  /// to be lost.
  ///
  /// Complexity: O(n) in the rows.
  package init(
    entity: Int, list: ShownList? = nil, schema: WorkloadSchema, sortedRows: [Answer.Row], journal: EditJournal,
    excused: Set<RowName> = []
  ) {
    let shownIndexes = schema.entities[entity].shownIndexes
    let isEdited = schema.entities[entity].editedAttribute != nil
    var notes: [RecordKey: FieldValue] = [:]
    for edit in journal.edits where edit.entity == entity { notes[edit.key] = edit.noteValue }
    let rows = sortedRows.filter { list?.contains($0.values) ?? true }
    let expected = rows.map { row in
      Row(key: row.key, shown: shownIndexes.map { row.values[$0] } + (isEdited ? [notes[row.key] ?? row.edited] : []))
    }
    self.init(entity, schema, expected: expected, sorted: rows.map(\.values), excused: excused)
  }

  /// Creates a checker for screens that list one entity. The right list is the store's rows, which have been checked.
  /// Several rows may have the same key.
  ///
  /// Complexity: O(n log n) in the rows.
  /// - Parameters:
  ///   - entity: The index of the entity in the schema.
  ///   - list: The condition on the rows, or nil if the list has all rows.
  ///   - schema: The schema of the rows.
  ///   - contents: The rows of the store.
  ///   - excused: The rows whose edited value is not compared.
  package init(
    entity: Int, list: ShownList? = nil, schema: WorkloadSchema, contents: StoreContents, excused: Set<RowName>
  ) {
    let described = schema.entities[entity]
    let rows = contents.tables[entity].filter { $0.key != nil && list?.contains($0.values) ?? true }
      .sorted { described.lists($0.values, before: $1.values) }
    let expected = rows.compactMap { row in
      row.key.map { key in
        Row(
          key: key,
          shown: described.shownIndexes.map { row.values[$0] } + (described.editedAttribute == nil ? [] : [row.note]))
      }
    }
    self.init(entity, schema, expected: expected, sorted: rows.map(\.values), excused: excused)
  }

  /// Creates a checker.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in the schema.
  ///   - schema: The schema of the rows.
  ///   - expected: The rows that the list should show.
  ///   - values: The attribute values of these rows.
  ///   - excused: The rows whose edited value is not compared.
  private init(
    _ entity: Int, _ schema: WorkloadSchema, expected: [Row], sorted values: [[FieldValue]], excused: Set<RowName>
  ) {
    var ranks: [Int] = []
    for place in values.indices {
      let isEqual = place > 0 && !schema.entities[entity].lists(values[place - 1], before: values[place])
      ranks.append(isEqual ? ranks[place - 1] : place)
    }
    self.ranks = ranks
    name = schema.entities[entity].name
    shownNames = schema.entities[entity].shownAttributes.map(\.name)
    isEdited = schema.entities[entity].editedAttribute != nil
    self.expected = expected
    places = Dictionary(grouping: expected.indices, by: { expected[$0].key })
    self.excused = Set(excused.lazy.filter { $0.entity == entity }.map(\.key))
  }

  /// Compares a whole list with the right one.
  ///
  /// Complexity: O(n log n) in the rows.
  package func compare(_ rows: [Row]) -> Difference {
    var difference = Difference()
    var isSeen = [Bool](repeating: false, count: expected.count)
    var present: [(row: Row, place: Int)] = []
    present.reserveCapacity(rows.count)
    for row in rows {
      let free = (places[row.key] ?? []).filter { !isSeen[$0] }
      // Of several rows of one key, the one that shows the same values is meant.
      if let place = free.first(where: { firstDifference(row, expected[$0]) == nil }) ?? free.first {
        isSeen[place] = true
        present.append((row, place))
      } else {
        let reason = places[row.key] == nil ? "should not be" : "appears there already"
        difference.extraCount += 1
        difference.note("\(name) \(row.key) is in the list and \(reason)")
      }
    }
    for place in expected.indices where !isSeen[place] {
      difference.missingCount += 1
      difference.note("\(name) \(expected[place].key) is not in the list")
    }
    let isInOrder = ListChecker.isInLongestIncrease(present.map { ranks[$0.place] })
    for (index, (row, place)) in present.enumerated() {
      if !isInOrder[index] {
        difference.misplacedCount += 1
        difference.note("\(name) \(row.key) is in the wrong place")
      } else if let shown = firstDifference(row, expected[place]) {
        difference.differingCount += 1
        difference.note(
          "\(name) \(row.key) shows \(shownNames[shown]) \(row.shown[shown].text) and should show "
            + expected[place].shown[shown].text)
      }
    }
    return difference
  }

  /// Compares rows that need not be a whole list, in any order: a row counts if it should not exist or shows a wrong
  /// value.
  package func compareSome(_ rows: [Row]) -> Difference {
    var difference = Difference()
    for row in rows {
      guard let known = places[row.key], let first = known.first else {
        difference.extraCount += 1
        difference.note("\(name) \(row.key) should not be")
        continue
      }
      let isRight = known.contains { firstDifference(row, expected[$0]) == nil }
      guard !isRight, let shown = firstDifference(row, expected[first]) else { continue }
      difference.differingCount += 1
      difference.note(
        "\(name) \(row.key) has \(shownNames[shown]) \(row.shown[shown].text) and should have "
          + expected[first].shown[shown].text)
    }
    return difference
  }

  private func firstDifference(_ row: Row, _ right: Row) -> Int? {
    guard row.shown.count == right.shown.count else {
      fatalError("a row of \(name) shows \(row.shown.count) values and its cell has \(right.shown.count)")
    }
    let compared = isEdited && excused.contains(row.key) ? row.shown.count - 1 : row.shown.count
    return (0..<compared).first { row.shown[$0] != right.shown[$0] }
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
