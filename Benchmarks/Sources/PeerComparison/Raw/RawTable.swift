/// The statements of one table of items, with the texts that the engine's have.
struct RawTable: Sendable {
  let name: String
  /// `Z_ENT`.
  let number: Int64
  /// The column with the key of the row above, or nil.
  var parent: String?

  static let plain = RawTable(name: "ZITEM", number: 1)
  static let keyed = RawTable(name: "ZKEYEDITEM", number: 2)

  static let authors = RawTable(name: "ZAUTHOR", number: 1)
  static let books = RawTable(name: "ZBOOK", number: 2, parent: "ZAUTHOR")
  static let chapters = RawTable(name: "ZCHAPTER", number: 3, parent: "ZBOOK")
  /// The tables of `Family`, in the order of its levels.
  static let family = [authors, books, chapters]

  static func all(in store: BenchmarkCase.StartingStore) -> [RawTable] { store == .family ? family : [plain, keyed] }

  var insertion: String {
    "INSERT INTO \(name)(Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME, ZRATING, ZPRICE, ZUPDATEDAT) VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
  }
  var selection: String {
    "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZCODE, t0.ZNAME, t0.ZRATING, t0.ZPRICE, t0.ZUPDATEDAT FROM \(name) t0"
  }
  var selectionByKey: String { selection + " WHERE t0.Z_PK = ?" }
  var update: String { "UPDATE \(name) SET ZRATING = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?" }
  var deletion: String { "DELETE FROM \(name) WHERE Z_PK = ? AND Z_OPT = ?" }

  var selectionByRating: String { selection + " WHERE t0.ZRATING < ? ORDER BY t0.ZNAME" }
  var keysByName: String { "SELECT t0.Z_PK FROM \(name) t0 ORDER BY t0.ZNAME" }

  /// Returns the SELECT of the names and ratings of `count` rows.
  func namesAndRatings(ofKeys count: Int) -> String {
    "SELECT t0.Z_PK, t0.ZNAME, t0.ZRATING FROM \(name) t0 WHERE t0.Z_PK IN (\(Self.parameters(count)))"
  }

  private static func parameters(_ count: Int) -> String {
    [String](repeating: "?", count: count).joined(separator: ",")
  }

  /// Returns the SELECT of the rows that have one of `count` codes.
  func selection(ofCodes count: Int) -> String {
    selection + " WHERE t0.ZCODE IN (\(Self.parameters(count)))"
  }

  /// The SELECT of all chapters, whose last column is the key of the book.
  static let selectionOfChapters =
    "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZCODE, t0.ZNAME, t0.ZRATING, t0.ZPRICE, t0.ZUPDATEDAT, t0.ZBOOK FROM ZCHAPTER t0"
  static let parentColumn: Int32 = 8
  static let deletionOfChapters = "DELETE FROM ZCHAPTER WHERE ZBOOK IN (SELECT Z_PK FROM ZBOOK WHERE ZAUTHOR = ?)"
  static let deletionOfBooks = "DELETE FROM ZBOOK WHERE ZAUTHOR = ?"

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
