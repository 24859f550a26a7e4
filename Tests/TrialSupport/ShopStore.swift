import CSQLite
import ContextEngine
import Foundation
import Harness
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import Workloads

/// A model, a feed and a store of an app, in a folder.
///
/// The store has ten items with keys, one without a key, and two that share one. A feed fills items only, so that
/// shelves and logs have rows that no record names.
package struct ShopStore {
  package let folder: TemporaryFolder

  private static let model = """
    <model>
    <entity name="Item">
      <attribute name="id" optional="YES" attributeType="String"/>
      <attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="price" optional="YES" attributeType="Double"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      <attribute name="secret" optional="YES" attributeType="Date"/>
      <attribute name="scan" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" \
    inverseName="items" inverseEntity="Shelf"/>
      <relationship name="logs" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Log" \
    inverseName="item" inverseEntity="Log"/>
    </entity>
    <entity name="Shelf">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="shelf" inverseEntity="Item"/>
    </entity>
    <entity name="Log">
      <attribute name="flag" optional="YES" attributeType="Boolean"/>
      <relationship name="item" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item" \
    inverseName="logs" inverseEntity="Item"/>
    </entity>
    </model>
    """

  /// Writes the files. `name` is the name of the store.
  package init(_ name: String = "app.sqlite") throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/Shop.xcdatamodel", withIntermediateDirectories: true)
    try folder.write(Self.model, to: "Shop.xcdatamodel/contents")
    let items = (0..<30).map { #"{"id":"c\#($0)","title":"fed \#($0)","price":\#($0).5}"# }
    try folder.write("[\(items.joined(separator: ",\n"))]", to: "items.json")
    try FileManager.default.createDirectory(atPath: "\(folder.path)/store", withIntermediateDirectories: true)
    path = "\(folder.path)/store/\(name)"
    try makeStore()
  }

  package let path: String

  /// Returns the options of an import into a copy of the store.
  package func options(feed: Bool, rows: Int? = nil, mix: Mix = .standard) -> WorkloadOptions {
    let workload: Workload =
      feed ? .feed(path: "\(folder.path)/items.json") : .model(path: "\(folder.path)/Shop.xcdatamodel")
    var options = WorkloadOptions(workload: workload, rows: rows, existingRows: 0, batchSize: 20, mix: mix)
    options.model = "\(folder.path)/Shop.xcdatamodel"
    options.store = path
    return options
  }

  private func makeStore() throws {
    let document = try #require(try options(feed: false).modelDocument())
    let model = try EngineModel(document).model
    let machine = LiveMachine(ledger: .init())
    let store = try SQLiteStore(machine, model: model, configuration: SQLiteStoreConfiguration(path: path))
    let context = ManagedObjectContext(
      .privateQueue, coordinator: PersistentStoreCoordinator(machine: machine, store: store), name: "app")
    try context.performAndWait { () throws(PersistenceError) in
      let shelf = context.insert(model.entity("Shelf"))
      shelf["name"] = .string("upper")
      var items: [ManagedObject] = []
      for place in 0..<13 {
        let item = context.insert(model.entity("Item"))
        item["id"] = place == 10 ? .null : .string(place < 10 ? "c\(place * 5)" : "twice")
        item["title"] = .string("stored \(place % 3)")
        item["price"] = .double(Double(place))
        item["note"] = place % 2 == 0 ? .string("mine \(place)") : .null
        item["secret"] = .date(Double(place) + 0.25)
        item["scan"] = .binary(Data(repeating: UInt8(place), count: place < 3 ? 300_000 : 30))
        items.append(item)
      }
      shelf.setRelatedObjects([items[4], items[1], items[10]], at: model.entity("Shelf").path("items"))
      let log = context.insert(model.entity("Log"))
      log["flag"] = .boolean(true)
      log.relate(items[2], at: model.entity("Log").path("item"))
      try context.save()
    }
    try store.close()
    machine.stop()
  }

  /// Returns the bytes of the store's files, by their names.
  package func bytes() throws -> [String: Data] {
    var bytes: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: "\(folder.path)/store") {
      bytes[name] = (try? Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/store/\(name)"))) ?? Data()
    }
    return bytes
  }

  /// Runs statements in a database.
  package static func execute(_ sql: String, in path: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    try #require(
      sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  }
}
