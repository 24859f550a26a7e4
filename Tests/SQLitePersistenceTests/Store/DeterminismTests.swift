import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

@Suite(.bothFileAccesses) struct DeterminismTests {
  typealias Configuration = SQLiteStoreConfiguration

  private static let identifier = "8D3A24B6-3B39-4B61-9E6A-5F9E7C0B4A11"

  @Test(arguments: Configuration.JournalMode.allCases)
  func `stores with the same identifier and requests have identical bytes`(
    journalMode: Configuration.JournalMode
  ) throws {
    let files = try (0..<3).map { _ in try Self.closedFile(journalMode, identifier: Self.identifier) }
    #expect(files[0] == files[1] && files[0] == files[2])
    #expect(files[0].count > 100_000)
    let other = try Self.closedFile(journalMode, identifier: "another")
    #expect(other.count == files[0].count && other != files[0])
  }

  /// Returns the bytes of a store after inserts of rows of changing lengths, some of which were changed and deleted.
  private static func closedFile(_ journalMode: Configuration.JournalMode, identifier: String) throws -> Data {
    let fixture = try StoreFixture()
    let store = try fixture.open(
      Configuration(
        path: fixture.path, poolSize: 2, journalMode: journalMode, identifier: identifier, fileAccess: .underTest))
    #expect(store.identifier == identifier)
    var random = SeededRandom(seed: 7)
    for round in 0..<5 {
      let rows = (0..<200).map { index in
        Bookshop.row(
          title: .string(String(repeating: "x", count: Int.random(in: 0..<400, using: &random))),
          pages: .integer(Int64(index)), author: .object(ObjectID(entity: 0, key: Int64(round + 1))))
      }
      let ids = try store.insert(store.book, rows)
      _ = try store.all(store.book)
      var changes = StoreChanges()
      changes.updates = ids[50..<100].map {
        let row = Row(version: 2, values: Bookshop.row(title: .string(String(repeating: "y", count: 300))))
        return .init(objectID: $0, row: row, slots: [0], baseVersion: 1)
      }
      changes.deletions = ids[100..<150].map { .init(objectID: $0, baseVersion: 1) }
      try store.saveWithoutConflicts(changes)
    }
    try store.close()
    return try Data(contentsOf: URL(fileURLWithPath: fixture.path))
  }

  @Test func `a store keeps the identifier that it was made with`() throws {
    let fixture = try StoreFixture()
    for identifier in [Self.identifier, "another", nil] {
      let store = try fixture.open(
        Configuration(path: fixture.path, identifier: identifier, fileAccess: .underTest))
      #expect(store.identifier == Self.identifier)
      try store.close()
    }
  }

  @Test(arguments: [0, 1, 14, 15, 300])
  func `Foundation reads a binary property list with sorted keys`(count: Int) throws {
    let names = (0..<count).map { $0 % 2 == 0 ? "Entity\($0)" : "Существо \($0) 日本" }
    let list = BinaryPropertyList.dictionary([
      (key: "hashes", value: .dictionary(names.map { (key: $0, value: .data(Array($0.utf8))) })),
      (key: "type", value: .string("SQLite")),
    ])
    let read = try PropertyListSerialization.propertyList(from: Data(list.encoded), format: nil)
    let contents = try #require(read as? [String: Any])
    #expect(contents.keys.sorted() == ["hashes", "type"])
    #expect(contents["type"] as? String == "SQLite")
    let hashes = try #require(contents["hashes"] as? [String: Data])
    #expect(hashes == Dictionary(uniqueKeysWithValues: names.map { ($0, Data($0.utf8)) }))
  }
}
