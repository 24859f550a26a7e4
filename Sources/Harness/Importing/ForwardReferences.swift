import Workloads

/// The references of a lane's records to rows that do not exist yet, which later units resolve.
///
/// A reference is forgotten when its row is imported again or deleted by a record.
package struct ForwardReferences: Sendable {
  /// A relationship of a row that waits for its target.
  struct Reference: Sendable {
    /// The index of the entity of the row that has the relationship.
    var entity: Int
    var key: RecordKey
    var property: Property
  }

  enum Property: Sendable {
    /// The place of a to-one relationship among the entity's links.
    case link(Int)
    /// The place of a to-many relationship among the entity's lists, and all keys that its record named.
    case list(Int, [RecordKey])
  }

  /// A row by the index of its key root and its key.
  private struct RowName: Hashable {
    var root: Int
    var key: RecordKey
  }

  /// The references to each row, with the number of the import of their own row.
  private var waiting: [RowName: [(reference: Reference, source: RowName, number: Int)]] = [:]
  /// The number of the latest import of each row that has references.
  private var numbers: [RowName: Int] = [:]
  private var count = 0

  package init() {}

  /// Returns the references to a row, in the order in which they were added.
  func waiting(for key: RecordKey, _ root: Int) -> [Reference] {
    if waiting.isEmpty { return [] }
    return (waiting[RowName(root: root, key: key)] ?? []).filter { numbers[$0.source] == $0.number }.map(\.reference)
  }

  /// Removes and returns the references to a row, in the order in which they were added.
  mutating func take(for key: RecordKey, _ root: Int) -> [Reference] {
    if waiting.isEmpty { return [] }
    let references = waiting(for: key, root)
    waiting[RowName(root: root, key: key)] = nil
    return references
  }

  /// Adds a reference of a row to a row that does not exist.
  mutating func add(
    _ reference: Reference, from sourceRoot: Int, to target: RecordKey, targetRoot: Int
  ) {
    let source = RowName(root: sourceRoot, key: reference.key)
    if numbers[source] == nil {
      count += 1
      numbers[source] = count
    }
    waiting[RowName(root: targetRoot, key: target), default: []].append((reference, source, numbers[source] ?? count))
  }

  /// Forgets the references of a row, which is imported again or deleted.
  mutating func forget(_ key: RecordKey, root: Int) {
    if !numbers.isEmpty { numbers[RowName(root: root, key: key)] = nil }
  }
}
