/// The remote key of a row: its name in the feed, which differs from the store's row number.
///
/// Keys are compared by their bytes, and integers come before strings, as in SQLite's order of a key column. Primary keys
/// come last.
package enum RecordKey: Sendable {
  case integer(Int64)
  case string(String)
  /// The values of several key attributes, or the value of a key attribute that is neither an integer nor a string. At
  /// least one value is not null.
  case values([FieldValue])
  /// The primary key of a row that the run's store had at the start, and that has no key or shares it with other rows.
  case storeRow(Int64)

  /// The values of the key attributes.
  package var fieldValues: [FieldValue] {
    switch self {
    case .integer(let value): [.integer(value)]
    case .string(let value): [.string(value)]
    case .values(let values): values
    case .storeRow: []
    }
  }

  /// The value of the first key attribute.
  package var firstValue: FieldValue {
    switch self {
    case .integer(let value): .integer(value)
    case .string(let value): .string(value)
    case .values(let values): values.first ?? .null
    case .storeRow: .null
    }
  }

  /// Creates the key that the value of a single key attribute represents, or nil if the value is null.
  package init?(_ value: FieldValue) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .string(let value): self = .string(value)
    case .null: return nil
    default: self = .values([value])
    }
  }

  /// Creates the key that the values of the key attributes represent, or nil if all values are null.
  package init?(_ values: [FieldValue]) {
    if values.count == 1 {
      self.init(values[0])
    } else if values.allSatisfy({ $0 == .null }) {
      return nil
    } else {
      self = .values(values)
    }
  }

  /// True if the row is named by its primary key, so that no record can name it.
  package var isStoreRow: Bool {
    if case .storeRow = self { true } else { false }
  }
}

// The comparison is not inlined: collections of keys would otherwise each have a copy of it.
extension RecordKey: Hashable {
  @inline(never)
  package static func == (left: RecordKey, right: RecordKey) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.values(let left), .values(let right)): left == right
    case (.storeRow(let left), .storeRow(let right)): left == right
    default: false
    }
  }

  @inline(never)
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .values(let values): hasher.combine(values)
    case .storeRow(let number): hasher.combine(number)
    }
  }
}

extension RecordKey: Comparable {
  @inline(never)
  package static func < (left: RecordKey, right: RecordKey) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.string(let left), .string(let right)): left.bytesPrecede(right)
    case (.values(let left), .values(let right)): left.lexicographicallyPrecedes(right) { $0.precedes($1) }
    case (.storeRow(let left), .storeRow(let right)): left < right
    default: left.rank < right.rank
    }
  }

  /// The place of a kind of key in the order.
  private var rank: Int {
    switch self {
    case .integer: 0
    case .string: 1
    case .values: 2
    case .storeRow: 3
    }
  }
}

extension RecordKey: CustomStringConvertible {
  /// The key as a message shows it.
  package var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .string(let value): value
    case .values(let values): values.map(\.text).joined(separator: " + ")
    case .storeRow(let number): "with Z_PK \(number)"
    }
  }
}
