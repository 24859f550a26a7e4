import GRDB

/// A row of one of the two tables as a Codable record, as GRDB's guide suggests.
struct ItemRecord<Table: ItemTable>: Codable, FetchableRecord, PersistableRecord, Sendable {
  static var databaseTableName: String { Table.table.name }
  typealias CodingKeys = ItemColumns

  var key: Int64
  var entity: Int64
  var version: Int64
  var code: String
  var name: String
  var rating: Int64
  var price: Double
  var updatedAt: Double

  init(key: Int64, item: Item) {
    self.key = key
    entity = Table.table.number
    version = 1
    code = item.code
    name = item.name
    rating = item.rating
    price = item.price
    updatedAt = item.updatedAt
  }

  /// Reads all five attributes.
  var checksum: Int { code.utf8.count + name.utf8.count + Int(rating) + Int(price) + Int(updatedAt) }
}

/// The columns that records name.
enum ItemColumns: String, CodingKey, ColumnExpression {
  case key = "Z_PK"
  case entity = "Z_ENT"
  case version = "Z_OPT"
  case code = "ZCODE"
  case name = "ZNAME"
  case rating = "ZRATING"
  case price = "ZPRICE"
  case updatedAt = "ZUPDATEDAT"
}

/// The table of a record's rows.
protocol ItemTable: Sendable {
  static var table: RawTable { get }
}

/// The table without an index.
enum PlainItems: ItemTable {
  static let table = RawTable.plain
}

/// The table with the index over its code.
enum KeyedItems: ItemTable {
  static let table = RawTable.keyed
}

typealias PlainItemRecord = ItemRecord<PlainItems>
typealias KeyedItemRecord = ItemRecord<KeyedItems>
