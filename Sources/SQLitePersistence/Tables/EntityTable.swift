import ContextEngine
import MachineCore

/// The table of one entity: its columns and the SQL of the statements that use it. Immutable.
///
/// The table has the form of Core Data's: the names of the table and its columns are in capitals after a `Z`. Entities
/// that inherit from one another share a table in the file, and each has its own `EntityTable`.
final class EntityTable: Sendable {
  let entity: EntityDescription
  let name: String
  /// The number of the entity in the file, stored in `Z_ENT`.
  let number: Int64
  /// The number of the root entity of the entities that share the table. The last key is stored under this number.
  let rootNumber: Int64
  /// The columns of the entity, one per slot.
  let columns: [Column]
  /// Indicates whether several entities share the table.
  let isShared: Bool
  /// Indicates whether each slot has exactly one column without external storage, so that the slots are a statement's
  /// parameters.
  let isPlain: Bool
  /// Indicates whether rows that a fetch of the entity finds may refer to external files.
  let readsExternalData: Bool
  /// The slots whose columns may refer to external files.
  let externalSlots: SlotSet
  /// The entity and its subentities, whose rows a fetch of the entity finds.
  let members: [Member]
  /// The condition that a row is of one of the members, or nil if this is true for every row of the table. It leaves
  /// out abstract entities, which have no rows.
  let familyCondition: String?
  /// The condition that a row is of this very entity, or nil if this is true for every row of the table.
  let ownCondition: String?

  /// The slots of each index of the table. An index over `Z_ENT` has no slots.
  private let indexes: [SlotSet]

  let insertionSQL: String
  let deletionSQL: String
  let selectionByKeySQL: String
  private let wholeSelection: String
  private let ownSelection: String

  /// The column of one slot.
  struct Column: Sendable {
    let name: String
    let storage: Storage
    let isKey: Bool
    let isIndexed: Bool
    /// The column with the entity number of the object to which a key refers, or nil if the object can be of one entity
    /// only.
    var entityColumn: String?
    /// Indicates whether the column exists. A transient attribute has no column.
    var isStored = true
    /// The column with the object's place in the ordered inverse of a to-one relationship, or nil if there is no such
    /// order.
    var orderName: String?
    /// Indicates whether the attribute allows external storage, so that each value has a mark for where it is stored.
    var isExternal = false
  }

  /// An entity whose rows are found when the table's entity is fetched.
  struct Member: Sendable {
    let entity: EntityDescription
    let number: Int64
    let columns: [Column]
  }

  /// The declared types of columns, in the order of a table's columns.
  enum Storage: String, Comparable, Sendable {
    case integer = "INTEGER"
    case timestamp = "TIMESTAMP"
    case float = "FLOAT"
    case decimal = "DECIMAL"
    case varchar = "VARCHAR"
    case blob = "BLOB"

    private var rank: Int {
      switch self {
      case .integer: 0
      case .timestamp: 1
      case .float: 2
      case .decimal: 3
      case .varchar: 4
      case .blob: 5
      }
    }

    static func < (left: Storage, right: Storage) -> Bool { left.rank < right.rank }
  }

  /// Creates the table of an entity as it is in a file.
  ///
  /// - Parameters:
  ///   - entity: the entity whose rows the table selects and writes.
  ///   - model: the model of the entity.
  ///   - layout: the table that the entity is in.
  ///   - numbers: `Z_ENT` of each entity of the model in the file.
  init(_ entity: EntityDescription, of model: ManagedObjectModel, layout: TableLayout, numbers: [Int64]) {
    self.entity = entity
    number = numbers[entity.index]
    rootNumber = numbers[layout.root.index]
    let name = layout.name
    let columns = layout.columns(of: entity)
    self.name = name
    self.columns = columns
    isShared = layout.isShared
    isPlain = columns.allSatisfy { $0.isStored && $0.entityColumn == nil && !$0.isExternal }
    externalSlots = entity.externalSlots
    members = entity.family.map { index in
      let member = model.entities[index]
      return Member(entity: member, number: numbers[index], columns: layout.columns(of: member))
    }
    indexes = Self.indexes(of: entity, columns, isShared: layout.isShared)
    readsExternalData = members.contains { !$0.entity.externalSlots.isEmpty }
    let memberNumbers = members.filter { !$0.entity.isAbstract }.map { String($0.number) }
    ownCondition = layout.isShared ? "t0.Z_ENT = \(number)" : nil
    familyCondition =
      members.count == layout.root.family.count
      ? nil
      : memberNumbers.count == 1
        ? "t0.Z_ENT = \(memberNumbers[0])" : "t0.Z_ENT IN (\(memberNumbers.joined(separator: ", ")))"
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns.flatMap(\.names)
    let parameters = [String](repeating: "?", count: names.count).joined(separator: ", ")
    insertionSQL = "INSERT INTO \(name)(\(names.joined(separator: ", "))) VALUES(\(parameters))"
    deletionSQL = "DELETE FROM \(name) WHERE Z_PK = ? AND Z_OPT = ?"
    let first = [layout.isShared ? "t0.Z_ENT" : "0", "t0.Z_PK", "t0.Z_OPT"]
    let own = columns.flatMap(\.names)
    let further = members.dropFirst().flatMap { $0.columns[$0.entity.inheritedSlotCount...].flatMap(\.names) }
    ownSelection = "SELECT \((first + own.map { "t0." + $0 }).joined(separator: ", ")) FROM \(name) t0"
    wholeSelection =
      further.isEmpty
      ? ownSelection
      : "SELECT \((first + (own + further).map { "t0." + $0 }).joined(separator: ", ")) FROM \(name) t0"
    selectionByKeySQL = ownSelection + " WHERE t0.Z_PK = ?"
  }

  private static func indexes(of entity: EntityDescription, _ columns: [Column], isShared: Bool) -> [SlotSet] {
    columns.indices.filter { columns[$0].isIndexed }.map { SlotSet($0) }
      + entity.fetchIndexes.map { index in SlotSet(index.elements.map { entity.path($0.property).slot }) }
      + entity.uniquenessConstraints.map { names in SlotSet(names.map { entity.path($0).slot }) }
      + (isShared ? [SlotSet()] : [])
  }

  /// Returns true if the table belongs to one entity and no index has the column of a slot.
  func hasNoIndex(over slot: Int) -> Bool { !isShared && !indexes.contains { $0.contains(slot) } }

  /// Returns how many index entries change with the given slots of a row.
  func indexEntryCount(slots: SlotSet) -> Int { indexes.count { !$0.isDisjoint(with: slots) } }

  /// The number of index entries of a row.
  var indexEntryCount: Int { indexes.count }

  /// The entity's index in its model.
  var index: Int { entity.index }

  static func storage(of type: AttributeType) -> Storage {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: .integer
    case .date: .timestamp
    case .double, .float: .float
    case .decimal: .decimal
    case .string, .uri: .varchar
    case .binary, .uuid, .transformable: .blob
    }
  }
}

extension EntityTable.Column {
  /// The names of the slot's columns: empty if the slot is not stored, otherwise the column and its entity column if it
  /// has one.
  var names: [String] {
    isStored ? [name] + (entityColumn.map { [$0] } ?? []) : []
  }
}

// MARK: - Statements

extension EntityTable {
  /// Returns the SELECT of the given slots without conditions. It selects the rows of subentities too if
  /// `includesSubentities` is true. Its first column is `Z_ENT` if entities share the table, otherwise 0. The key, the
  /// version and the slots follow. If all slots are selected, the slots of subentities come last.
  func selection(slots: SlotSet, includesSubentities: Bool = true) -> String {
    if slots.isAll { return includesSubentities ? wholeSelection : ownSelection }
    var text = "SELECT \(isShared ? "t0.Z_ENT" : "0"), t0.Z_PK, t0.Z_OPT"
    for (slot, column) in columns.enumerated() where slots.contains(slot) {
      for name in column.names { text += ", t0." + name }
    }
    return text + " FROM \(name) t0"
  }

  /// The SELECT of keys without conditions.
  var keySelection: String { "SELECT \(isShared ? "t0.Z_ENT" : "0"), t0.Z_PK FROM \(name) t0" }

  /// Returns the UPDATE that sets the given slots and the version of a row, if the row has the expected version.
  func updateSQL(slots: SlotSet) -> String {
    var text = "UPDATE \(name) SET "
    for (slot, column) in columns.enumerated() where slots.contains(slot) {
      for name in column.names { text += name + " = ?, " }
    }
    return text + "Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?"
  }

  /// Returns the slots as they are read: `.all` if these are all slots that a row of the fetch has, otherwise
  /// only slots of the entity.
  func normalised(_ slots: SlotSet) -> SlotSet {
    if members.count > 1, !slots.isAll { return slots.intersection(entity.everySlot) }
    return slots.isSuperset(of: entity.everySlot) ? .all : slots.intersection(entity.everySlot)
  }
}
