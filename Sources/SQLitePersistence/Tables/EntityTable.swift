import ContextEngine
import MachineCore

/// The table of one entity: its columns and the texts of the statements that use it. Immutable.
///
/// Shaped as Core Data shapes it: table and columns are the names in capitals behind a `Z`. Entities that inherit from one
/// another share a table and have one of these each.
final class EntityTable: Sendable {
  let entity: EntityDescription
  let name: String
  /// `Z_ENT`: the number of the entity in the file.
  let number: Int64
  /// The number of the entity at the top of those that share the table, at which the last key is kept.
  let rootNumber: Int64
  /// One column per slot of the entity.
  let columns: [Column]
  /// Whether entities share the table.
  let isShared: Bool
  /// Whether each slot is one column, so that the parameters of a statement are the slots.
  let isPlain: Bool
  /// Whether rows that a fetch of the entity finds may refer to files beside the store.
  let readsExternalData: Bool
  /// The slots whose columns may do so, as bits.
  let externalSlots: UInt64
  /// The entity and those that inherit from it, whose rows a fetch of the entity finds.
  let members: [Member]
  /// The condition that a row is of one of these; nil where every row of the table is.
  let familyCondition: String?
  /// The condition that a row is of this very entity; nil where every row of the table is.
  let ownCondition: String?

  /// The slots that each index of the table is over, as bits; an index over `Z_ENT` is over none.
  private let indexes: [UInt64]

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
    /// The column that says which entity the object behind a key is of, where it may be of several.
    var entityColumn: String?
    /// Whether there is such a column at all: a transient attribute has none.
    var isStored = true
    /// Beside the key of a to-one relationship whose inverse is ordered: the column with the place there.
    var orderName: String?
    /// Whether it says of each value whether that lies in a file beside the store.
    var isExternal = false
  }

  /// One entity whose rows are found when this one is fetched.
  struct Member: Sendable {
    let entity: EntityDescription
    let number: Int64
    let columns: [Column]
  }

  /// The declared types of columns, in the order in which a table has them.
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

  /// - Parameters:
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
    readsExternalData = members.contains { $0.entity.externalSlots != 0 }
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

  private static func indexes(of entity: EntityDescription, _ columns: [Column], isShared: Bool) -> [UInt64] {
    func bits(_ slots: [Int]) -> UInt64 { slots.reduce(0) { $0 | 1 << UInt64($1) } }
    return columns.indices.filter { columns[$0].isIndexed }.map { bits([$0]) }
      + entity.fetchIndexes.map { index in bits(index.elements.map { entity.path($0.property).slot }) }
      + entity.uniquenessConstraints.map { names in bits(names.map { entity.path($0).slot }) }
      + (isShared ? [0] : [])
  }

  /// Returns how many index entries change with the given slots of a row.
  func indexEntryCount(slots: UInt64) -> Int { indexes.count { $0 & slots != 0 } }

  /// How many index entries a row has.
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
  /// The names of the columns of a slot: none, one, or key and entity.
  var names: [String] {
    isStored ? [name] + (entityColumn.map { [$0] } ?? []) : []
  }
}

// MARK: - Statements

extension EntityTable {
  /// The SELECT of the given slots without conditions. Its first column is `Z_ENT` where entities share the table, else 0;
  /// key, version and slots follow, and behind them, where all are read, those of entities that inherit from this one.
  ///
  /// - Parameter includesSubentities: whether rows of those are read too.
  func selection(slots: UInt64, includesSubentities: Bool = true) -> String {
    if slots == Row.allSlots { return includesSubentities ? wholeSelection : ownSelection }
    var text = "SELECT \(isShared ? "t0.Z_ENT" : "0"), t0.Z_PK, t0.Z_OPT"
    for (slot, column) in columns.enumerated() where slots.hasSlot(slot) {
      for name in column.names { text += ", t0." + name }
    }
    return text + " FROM \(name) t0"
  }

  /// The SELECT of keys without conditions.
  var keySelection: String { "SELECT \(isShared ? "t0.Z_ENT" : "0"), t0.Z_PK FROM \(name) t0" }

  /// Sets the given slots and the version of a row that has the expected version.
  func updateSQL(slots: UInt64) -> String {
    var text = "UPDATE \(name) SET "
    for (slot, column) in columns.enumerated() where slots.hasSlot(slot) {
      for name in column.names { text += name + " = ?, " }
    }
    return text + "Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?"
  }

  /// The slots as they are read: `Row.allSlots` where they are all that any row of the fetch has.
  func normalised(_ slots: UInt64) -> UInt64 {
    let every = columns.count == 64 ? UInt64.max : (1 << UInt64(columns.count)) - 1
    if members.count > 1, slots != Row.allSlots { return slots & every }
    return slots & every == every ? Row.allSlots : slots & every
  }
}

extension UInt64 {
  /// Whether the set of slots that these bits are has this one.
  func hasSlot(_ slot: Int) -> Bool {
    self & (1 << UInt64(slot)) != 0
  }
}
