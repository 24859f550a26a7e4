/// The statements of one of the two tables, with the texts that the engine's have.
struct RawTable: Sendable {
  let name: String
  /// `Z_ENT`.
  let number: Int64

  static let plain = RawTable(name: "ZITEM", number: 1)
  static let keyed = RawTable(name: "ZKEYEDITEM", number: 2)

  var insertion: String {
    "INSERT INTO \(name)(Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME, ZRATING, ZPRICE, ZUPDATEDAT) VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
  }
  var selection: String {
    "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZCODE, t0.ZNAME, t0.ZRATING, t0.ZPRICE, t0.ZUPDATEDAT FROM \(name) t0"
  }
  var selectionByKey: String { selection + " WHERE t0.Z_PK = ?" }
  var update: String { "UPDATE \(name) SET ZRATING = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?" }
  var deletion: String { "DELETE FROM \(name) WHERE Z_PK = ? AND Z_OPT = ?" }

  /// Returns the SELECT of the rows that have one of `count` codes.
  func selection(ofCodes count: Int) -> String {
    selection + " WHERE t0.ZCODE IN (" + [String](repeating: "?", count: count).joined(separator: ",") + ")"
  }

  static let lastKeySelection = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?"
  static let lastKeyUpdate = "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?"
}

/// A row as a struct, as a program without an object mapper keeps it.
struct RawRow: Sendable {
  var key: Int64
  var version: Int64
  var item: Item

  init(key: Int64, version: Int64, item: Item) {
    self.key = key
    self.version = version
    self.item = item
  }

  /// Creates a row from the present row of a statement of `RawTable.selection`.
  @inline(__always)
  init(_ statement: RawStatement) {
    key = statement.integer(1)
    version = statement.integer(2)
    item = Item(
      code: statement.text(3), name: statement.text(4), rating: statement.integer(5), price: statement.double(6),
      updatedAt: statement.double(7))
  }
}
