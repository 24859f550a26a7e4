import GRDB

/// A row as a Codable record, as GRDB's guide suggests.
protocol ItemRecord: Codable, FetchableRecord, PersistableRecord, Sendable {
  var key: Int64 { get }
  var version: Int64 { get set }
  var code: String { get }
  var name: String { get }
  var rating: Int64 { get set }
  var price: Double { get }
  var updatedAt: Double { get }

  init(key: Int64, item: Item)
}

extension ItemRecord {
  /// Reads all five attributes.
  var checksum: Int { code.utf8.count + name.utf8.count + Int(rating) + Int(price) + Int(updatedAt) }
}

/// The columns that both records name.
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

/// A row of the table without an index.
struct PlainItemRecord: ItemRecord {
  static let databaseTableName = RawTable.plain.name
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
    entity = RawTable.plain.number
    version = 1
    code = item.code
    name = item.name
    rating = item.rating
    price = item.price
    updatedAt = item.updatedAt
  }
}

/// A row of the table with the index over its code.
struct KeyedItemRecord: ItemRecord {
  static let databaseTableName = RawTable.keyed.name
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
    entity = RawTable.keyed.number
    version = 1
    code = item.code
    name = item.name
    rating = item.rating
    price = item.price
    updatedAt = item.updatedAt
  }
}
