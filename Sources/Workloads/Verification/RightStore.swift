import CSQLite

/// The rows of a right store, with which the rows of a stored file are compared as SQLite reads them.
///
/// The comparison finds that a store is right without a copy of its rows. It does not say what is wrong with a store.
package struct RightStore: Sendable {
  /// The digest of the rows.
  package let digest: String
  private let schema: WorkloadSchema
  private let layout: StoreLayout
  private let tables: [Table]
  /// The numbers of the rows by their keys, for each topmost entity. Rows are numbered through all entities.
  private let numbers: [[RecordKey: Int]]
  /// True if all rows can be compared in this way.
  private let isComparable: Bool

  /// The rows of one entity.
  private struct Table: Sendable {
    let rows: [Answer.Row]
    /// The topmost entities of the entity itself and of the targets of its links.
    let root: Int
    let linkRoots: [Int]
    /// The numbers of the rows.
    let numbers: Range<Int>
    /// The numbers of the rows that each link of each row leads to, nil for an empty link.
    var targets: [Int?] = []
  }

  /// Creates the right store of an answer.
  ///
  /// Complexity: O(n) in the rows.
  package init(_ answer: Answer, schema: WorkloadSchema) {
    self.schema = schema
    layout = StoreLayout(schema)
    digest = StoreChecker(schema: schema).digest(of: answer)
    var tables: [Table] = []
    var numbers = schema.entities.map { _ in [RecordKey: Int]() }
    var count = 0
    for (entity, described) in schema.entities.enumerated() {
      let rows = answer.tables[entity].rows
      let root = schema.tableRoot(of: entity)
      tables.append(
        Table(
          rows: rows, root: root,
          linkRoots: described.links.map { schema.tableRoot(of: schema.index(ofEntity: $0.targetEntity) ?? entity) },
          numbers: count..<count + rows.count))
      for (place, row) in rows.enumerated() { numbers[root][row.key] = count + place }
      count += rows.count
    }
    var isComplete = numbers.reduce(0) { $0 + $1.count } == count
    for entity in tables.indices {
      for row in tables[entity].rows {
        for (key, root) in zip(row.links, tables[entity].linkRoots) {
          let target = key.flatMap { numbers[root][$0] }
          isComplete = isComplete && (target != nil || key == nil)
          tables[entity].targets.append(target)
        }
      }
    }
    isComparable = isComplete && !schema.startsFromStore && schema.entities.allSatisfy(\.lists.isEmpty)
    (self.tables, self.numbers) = (tables, numbers)
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
    let editedNumbers = edited.map { numbers[tables[$0.entity].root][$0.key] }
    var pass = ComparingPass(self, edited: Set(editedNumbers.compactMap(\.self)))
    for (entity, described) in schema.entities.enumerated() {
      guard let counter = counters[described.name],
        let root = counters[schema.entities[tables[entity].root].name]
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
    private let right: RightStore
    private let edited: Set<Int>
    /// The numbers of the rows by their primary keys, for each topmost entity.
    private var numbersByKey: [[Int?]]
    /// The primary keys that each link of each row of an entity has, nil for an empty link.
    private var links: [[Int64?]]
    private var isSeen: [Bool]
    private var hasDifference = false
    private(set) var notes: [Int: FieldValue] = [:]

    init(_ right: RightStore, edited: Set<Int>) {
      self.right = right
      self.edited = edited
      numbersByKey = right.tables.map { _ in [] }
      links = right.tables.map { Array(repeating: nil, count: $0.targets.count) }
      isSeen = Array(repeating: false, count: right.tables.last?.numbers.upperBound ?? 0)
    }

    /// Reads the rows of an entity up to the first difference.
    mutating func read(
      _ entity: Int, of file: SQLiteFile, number: Int64, largestKey: Int64
    ) throws(VerificationError) {
      let (described, table, numbers) = (right.schema.entities[entity], right.tables[entity], right.numbers)
      let (attributes, linkCount) = (described.attributes, described.links.count)
      let (types, firstLink) = (attributes.map(\.type), 2 + attributes.count)
      // A table with larger keys is compared in another way.
      let keys = 1...max(1, min(largestKey, Int64(isSeen.count * 16 + 1_000)))
      // Most rows were inserted in the order of the answer, so that the next one is tried before the dictionary.
      var next = 0
      try file.forEachRow(right.layout.select(entity, of: right.schema, number: number)) { row in
        guard !hasDifference else { return }
        hasDifference = true
        let primaryKey = row.integer(0)
        guard row.integer(1) == number, keys.contains(primaryKey),
          let key = described.key(at: { row.value(2 + $0, of: attributes[$0], in: file) })
        else { return }
        let isNext = table.rows.indices.contains(next) && table.rows[next].key == key
        guard let found = isNext ? table.numbers.lowerBound + next : numbers[table.root][key],
          table.numbers.contains(found), !isSeen[found]
        else { return }
        isSeen[found] = true
        let place = found - table.numbers.lowerBound
        next = place + 1
        for (index, value) in table.rows[place].values.enumerated() {
          let isSame =
            row.holds(value, at: 2 + index, as: types[index])
            ?? row.value(2 + index, of: attributes[index], in: file).isSameInDigest(as: value)
          guard isSame else { return }
        }
        add(found, primaryKey: Int(primaryKey), root: table.root)
        for link in 0..<linkCount where row.kind(firstLink + link) != SQLITE_NULL {
          links[entity][place * linkCount + link] = row.integer(firstLink + link)
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
      if missing > 0 { numbersByKey[root] += repeatElement(nil, count: missing) }
      numbersByKey[root][primaryKey] = number
    }

    /// True if the store has all rows and links, and no others.
    var isRight: Bool {
      guard !hasDifference, isSeen.allSatisfy(\.self) else { return false }
      for (table, links) in zip(right.tables, links) where !links.isEmpty {
        for (place, link) in links.enumerated() {
          let known = numbersByKey[table.linkRoots[place % table.linkRoots.count]]
          let target = link.flatMap { known.indices.contains(Int($0)) ? known[Int($0)] : nil }
          guard target == table.targets[place], target != nil || link == nil else { return false }
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
  fileprivate func holds(_ right: FieldValue, at column: Int, as type: WorkloadSchema.AttributeType) -> Bool? {
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
