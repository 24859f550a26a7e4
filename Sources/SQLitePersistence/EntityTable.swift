import ContextEngine
import MachineCore

/// The table of one entity: its columns and the texts of the statements that use it. Immutable.
///
/// Shaped as Core Data shapes it: table and columns are the names in capitals behind a `Z`.
final class EntityTable: Sendable {
  let entity: EntityDescription
  let name: String
  /// `Z_ENT`: the number of the entity in the file.
  let number: Int64
  /// One column per slot of the entity.
  let columns: [Column]

  let insertionSQL: String
  let deletionSQL: String
  let selectionByKeySQL: String
  private let wholeSelection: String

  /// The column of one slot.
  struct Column: Sendable {
    let name: String
    let storage: Storage
    let isKey: Bool
    let isIndexed: Bool
    /// Beside the key of a to-one relationship whose inverse is ordered: the column with the place there.
    var orderName: String?
  }

  /// The declared types of columns, in the order in which a table has them.
  enum Storage: String, Comparable, Sendable {
    case integer = "INTEGER"
    case timestamp = "TIMESTAMP"
    case float = "FLOAT"
    case varchar = "VARCHAR"

    private var rank: Int {
      switch self {
      case .integer: 0
      case .timestamp: 1
      case .float: 2
      case .varchar: 3
      }
    }

    static func < (left: Storage, right: Storage) -> Bool { left.rank < right.rank }
  }

  init(_ entity: EntityDescription, number: Int64) {
    self.entity = entity
    self.number = number
    let name = Self.name(of: entity)
    let columns = Self.columns(of: entity)
    self.name = name
    self.columns = columns
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name)
    let parameters = [String](repeating: "?", count: names.count).joined(separator: ", ")
    insertionSQL = "INSERT INTO \(name)(\(names.joined(separator: ", "))) VALUES(\(parameters))"
    deletionSQL = "DELETE FROM \(name) WHERE Z_PK = ? AND Z_OPT = ?"
    let selected = ["0", "t0.Z_PK", "t0.Z_OPT"] + columns.map { "t0.\($0.name)" }
    wholeSelection = "SELECT \(selected.joined(separator: ", ")) FROM \(name) t0"
    selectionByKeySQL = wholeSelection + " WHERE t0.Z_PK = ?"
  }

  /// The entity's index in its model.
  var index: Int { entity.index }

  static func name(of entity: EntityDescription) -> String {
    "Z" + entity.name.uppercased()
  }

  static func columns(of entity: EntityDescription) -> [Column] {
    entity.slots.map { slot in
      switch slot {
      case .attribute(let attribute):
        Column(
          name: "Z" + attribute.name.uppercased(), storage: storage(of: attribute.type), isKey: false,
          isIndexed: attribute.isIndexed)
      case .toOne(let relationship):
        Column(
          name: "Z" + relationship.name.uppercased(), storage: .integer, isKey: true, isIndexed: true,
          orderName: relationship.hasOrderedInverse ? "Z_FOK_" + relationship.name.uppercased() : nil)
      }
    }
  }

  private static func storage(of type: AttributeType) -> Storage {
    switch type {
    case .integer64, .boolean: .integer
    case .date: .timestamp
    case .double: .float
    case .string: .varchar
    }
  }
}

// MARK: - Statements

extension EntityTable {
  /// The SELECT of the given slots without conditions. Its first column is 0, where Core Data has `Z_ENT` if entities
  /// share a table; key, version and slots follow.
  func selection(slots: UInt64) -> String {
    if slots == Row.allSlots { return wholeSelection }
    var text = "SELECT 0, t0.Z_PK, t0.Z_OPT"
    for (slot, column) in columns.enumerated() where slots.hasSlot(slot) {
      text += ", t0." + column.name
    }
    return text + " FROM \(name) t0"
  }

  /// The SELECT of keys without conditions.
  var keySelection: String { "SELECT 0, t0.Z_PK FROM \(name) t0" }

  /// Sets the given slots and the version of a row that has the expected version.
  func updateSQL(slots: UInt64) -> String {
    var text = "UPDATE \(name) SET "
    for (slot, column) in columns.enumerated() where slots.hasSlot(slot) {
      text += column.name + " = ?, "
    }
    return text + "Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?"
  }

  /// The slots as they are read: `Row.allSlots` where they are all.
  func normalised(_ slots: UInt64) -> UInt64 {
    let every = columns.count == 64 ? UInt64.max : (1 << UInt64(columns.count)) - 1
    return slots & every == every ? Row.allSlots : slots & every
  }
}

extension UInt64 {
  /// Whether the set of slots that these bits are has this one.
  func hasSlot(_ slot: Int) -> Bool {
    self & (1 << UInt64(slot)) != 0
  }
}
