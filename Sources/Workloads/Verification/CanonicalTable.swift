/// The part of one entity that the digest covers, read from a store or derived from an answer.
package struct CanonicalTable {
  struct Row {
    /// The row's key, or nil if the stored value is absent or of a type that cannot be a key.
    var key: RecordKey?
    /// The values in the order of the entity's `attributes`.
    var values: [FieldValue]
    /// The targets of each relationship, in the order of the entity's `relationships`.
    var targets: [Targets]
    /// The keys of the rows that link to this row, ascending, for each of the schema's `inverses(of:)` in their order.
    var inverses: [[RecordKey]]
  }

  /// The targets of a relationship.
  struct Targets: Hashable {
    /// The keys of the targets, ascending if the relationship has no order.
    var keys: [RecordKey]
    /// The number of targets that do not exist or have no key.
    var danglingCount = 0
  }

  /// The rows in ascending order of their keys, rows without a key first.
  var rows: [Row]

  /// Calls `body` with the rows of each key, one key after the other. The rows without a key are one group.
  func forEachKey(_ body: (ArraySlice<Row>) -> Void) {
    var rest = rows[...]
    while let first = rest.first {
      let group = rest.prefix { $0.key == first.key }
      rest = rest.dropFirst(group.count)
      body(group)
    }
  }
}

extension Answer.Row {
  /// The targets of each relationship as a right store has them.
  var canonicalTargets: [CanonicalTable.Targets] {
    targets.map { targets in
      let keys = targets.filter { $0 != .missing }
      return CanonicalTable.Targets(keys: keys, danglingCount: targets.count - keys.count)
    }
  }
}

extension RecordKey {
  /// The key of a row that a relationship of a starting store leads to and that does not exist there. No row has the
  /// primary key 0.
  static let missing = RecordKey.storeRow(0)
}
