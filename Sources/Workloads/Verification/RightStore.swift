import CSQLite

/// The rows of a right store, with which the rows of a stored file are compared as SQLite reads them.
///
/// The comparison finds that a store is right without a copy of its rows. It does not say what is wrong with a store.
package struct RightStore: Sendable {
  /// The digest of the rows.
  package let digest: String
  private let rows: RightRows
  private let layout: StoreLayout
  /// True if all rows can be compared in this way.
  private let isComparable: Bool

  /// Creates the right store of an answer.
  ///
  /// Complexity: O(n log n) in the rows.
  package init(_ answer: Answer, schema: WorkloadSchema) {
    layout = StoreLayout(schema)
    rows = RightRows(answer, schema: schema)
    digest = StoreDigest.hexadecimal(of: rows)
    isComparable = rows.isComplete && !schema.startsFromStore && schema.entities.allSatisfy(\.lists.isEmpty)
  }

  /// Compares a store with the rows.
  ///
  /// - Parameters:
  ///   - file: The open file.
  ///   - edited: The rows whose edited attribute is not compared.
  /// - Returns: The values of the edited attribute of these rows, or nil if the store may differ in any other way.
  /// - Throws: `VerificationError` if the file cannot be read.
  func notes(in file: SQLiteFile, ofRows edited: [RowName]) throws(VerificationError) -> [RowName: FieldValue]? {
    guard isComparable else { return nil }
    guard try file.rows("PRAGMA integrity_check(1)", value: { $0.string(0) }) == ["ok"] else { return nil }
    let counters = try ClosedStore.counters(of: file)
    let editedNumbers = edited.map { rows.tables[$0.entity].number(of: $0.key) }
    var pass = ComparingPass(rows, layout, edited: Set(editedNumbers.compactMap(\.self)))
    for (entity, described) in rows.schema.entities.enumerated() {
      guard let counter = counters[described.name],
        let root = counters[rows.schema.entities[rows.tables[entity].root].name]
      else { return nil }
      if described.isImported {
        try pass.read(entity, of: file, number: counter.entityNumber, largestKey: root.largest)
      }
    }
    guard pass.isRight else { return nil }
    var notes: [RowName: FieldValue] = [:]
    for (name, number) in zip(edited, editedNumbers) { notes[name] = number.flatMap { pass.notes[$0] } }
    return notes
  }

  /// One pass over the rows of a store.
  private struct ComparingPass {
    private let right: RightRows
    private let layout: StoreLayout
    private let edited: Set<Int>
    /// The numbers of the rows by their primary keys, 0 for none, for each topmost entity.
    private var numbersByKey: [[UInt32]]
    /// The primary keys that each link of each row of an entity has, 0 for an empty link. A key that no row has is the
    /// largest number.
    private var links: [[UInt32]]
    private var isSeen: [Bool]
    private var hasDifference = false
    private(set) var notes: [Int: FieldValue] = [:]

    init(_ right: RightRows, _ layout: StoreLayout, edited: Set<Int>) {
      self.right = right
      self.layout = layout
      self.edited = edited
      numbersByKey = right.tables.map { _ in [] }
      links = right.tables.map { Array(repeating: 0, count: $0.targets.count) }
      isSeen = Array(repeating: false, count: right.count + 1)
      isSeen[0] = true
    }

    /// Reads the rows of an entity up to the first difference.
    mutating func read(
      _ entity: Int, of file: SQLiteFile, number: Int64, largestKey: Int64
    ) throws(VerificationError) {
      let (described, table) = (right.schema.entities[entity], right.tables[entity])
      let (attributes, linkCount) = (described.attributes, described.links.count)
      let (types, firstLink) = (attributes.map(\.type), 2 + attributes.count)
      // A table with larger keys is compared in another way.
      let keys = 1...max(1, min(largestKey, Int64(isSeen.count * 16 + 1_000)))
      // Most rows were inserted in the order of the answer, so that the next one is tried before the search.
      var next = 0
      try file.forEachRow(layout.select(entity, of: right.schema, number: number)) { row in
        guard !hasDifference else { return }
        hasDifference = true
        let primaryKey = row.integer(0)
        guard row.integer(1) == number, keys.contains(primaryKey),
          let key = described.key(at: { row.value(2 + $0, of: attributes[$0], in: file) })
        else { return }
        var place = next
        var expected = next < table.rows.count ? table.rows[next] : nil
        if expected?.key != key {
          guard let found = table.rows.place(of: key) else { return }
          place = found
          expected = table.rows[found]
        }
        let found = table.numbers.lowerBound + place
        guard let expected, !isSeen[found] else { return }
        isSeen[found] = true
        next = place + 1
        for (index, value) in expected.values.enumerated() {
          let isSame =
            row.holds(value, at: 2 + index, as: types[index])
            ?? row.value(2 + index, of: attributes[index], in: file).isSameInDigest(as: value)
          guard isSame else { return }
        }
        add(found, primaryKey: Int(primaryKey), root: table.root)
        for link in 0..<linkCount where row.kind(firstLink + link) != SQLITE_NULL {
          let primaryKey = UInt32(exactly: row.integer(firstLink + link)) ?? 0
          links[entity][place * linkCount + link] = primaryKey == 0 ? .max : primaryKey
        }
        if edited.contains(found) {
          notes[found] = row.value(firstLink + linkCount, of: .note, in: file)
        } else if row.kind(firstLink + linkCount) != SQLITE_NULL {
          return
        }
        hasDifference = false
      }
    }

    private mutating func add(_ number: Int, primaryKey: Int, root: Int) {
      let missing = primaryKey - numbersByKey[root].count + 1
      if missing > 0 { numbersByKey[root] += repeatElement(0, count: missing) }
      numbersByKey[root][primaryKey] = UInt32(number)
    }

    /// True if the store has all rows and links, and no others.
    var isRight: Bool {
      guard !hasDifference, isSeen.allSatisfy(\.self) else { return false }
      for (table, links) in zip(right.tables, links) where !links.isEmpty {
        for (place, link) in links.enumerated() {
          let known = numbersByKey[table.linkRoots[place % table.linkRoots.count]]
          let target = known.indices.contains(Int(link)) ? known[Int(link)] : 0
          guard target == table.targets[place], target != 0 || link == 0 else { return false }
        }
      }
      return true
    }
  }
}

extension WorkloadSchema.Entity {
  /// Returns the key of a row, or nil if all values of the key are null. `value` returns the value of the attribute with
  /// an index.
  fileprivate func key(at value: (Int) -> FieldValue) -> RecordKey? {
    keyIndexes.count == 1 ? RecordKey(value(keyIndexes[0])) : RecordKey(keyIndexes.map(value))
  }
}

extension SQLiteRow {
  /// Compares a column with a value of one of the frequent types without reading the column. Returns nil if the column
  /// must be read.
  @inline(__always)
  fileprivate func holds(_ right: FieldValue, at column: Int, as type: ValueType) -> Bool? {
    switch (right, type) {
    case (.null, _): kind(column) == SQLITE_NULL
    case (.string(let text), .string): kind(column) == SQLITE_TEXT ? hasBytes(of: text, at: column) : nil
    case (.double(let value), .double): kind(column) == SQLITE_FLOAT ? double(column) == value : nil
    case (.date(let value), .date): isNumber(column) && double(column) == value ? true : nil
    default: nil
    }
  }
}

extension FieldValue {
  /// Returns true if the digest of two values is the same.
  fileprivate func isSameInDigest(as other: FieldValue) -> Bool {
    // Numbers may be equal and have different digits.
    if case .decimal(let left) = self, case .decimal(let right) = other { return left.description == right.description }
    return isSame(as: other)
  }
}
