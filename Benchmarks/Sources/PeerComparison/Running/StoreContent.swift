/// The contents of a store's file, read by plain SQL.
package enum StoreContent {
  /// Returns a number that differs if the rows of two stores differ, as far as sums over them show.
  package static func checksum(
    of path: String, _ store: BenchmarkCase.StartingStore
  ) throws(PeerError) -> Int {
    let database = try RawDatabase(path: path)
    var checksum = 0
    for table in RawTable.all(in: store) {
      let sums = try database.prepare(
        """
        SELECT count(*), ifnull(sum(Z_PK), 0), ifnull(sum(Z_PK % 97 * Z_OPT), 0), ifnull(sum(Z_PK % 97 * Z_ENT), 0),
          ifnull(sum(Z_PK % 97 * length(ZCODE)), 0), ifnull(sum(Z_PK % 89 * unicode(ZCODE)), 0),
          ifnull(sum(Z_PK % 97 * length(ZNAME)), 0), ifnull(sum(Z_PK % 89 * unicode(ZNAME)), 0),
          ifnull(sum(Z_PK % 97 * ZRATING), 0), ifnull(sum(Z_PK % 97 * CAST(ZPRICE AS INTEGER)), 0),
          ifnull(sum(Z_PK % 97 * CAST(ZUPDATEDAT AS INTEGER)), 0),
          (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.number)),
          ifnull(sum(Z_PK % 97 * \(table.parent ?? "0")), 0)
        FROM \(table.name)
        """)
      guard try sums.step() else { throw PeerError(.failed, "\(path) has no sums over \(table.name)") }
      for column in 0..<13 { checksum = checksum &* 31 &+ Int(sums.integer(Int32(column))) }
    }
    return checksum
  }

  /// Returns all rows of the tables of a store by key, with their versions.
  package static func rows(
    of path: String, _ store: BenchmarkCase.StartingStore
  ) throws(PeerError) -> [[Int64: StoredItem]] {
    let database = try RawDatabase(path: path)
    var tables: [[Int64: StoredItem]] = []
    for table in RawTable.all(in: store) {
      let rows = try database.rows(of: table)
      tables.append(
        Dictionary(uniqueKeysWithValues: rows.map { ($0.key, StoredItem(version: $0.version, item: $0.item)) }))
    }
    return tables
  }

  /// A row with its version.
  package struct StoredItem: Hashable, Sendable {
    package var version: Int64
    package var item: Item

    package init(version: Int64, item: Item) {
      self.version = version
      self.item = item
    }
  }
}
