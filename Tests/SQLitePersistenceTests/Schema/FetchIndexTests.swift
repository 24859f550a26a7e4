import CSQLite
import ContextEngine
import MachineCore
import SQLitePersistence
import Testing

/// The indexes that a model declares exist, and the fetches that they are made for use them.
@Suite struct FetchIndexTests {
  private static let model = ManagedObjectModel([
    .init(
      "Song",
      attributes: [
        .init("title", .string), .init("artist", .string), .init("plays", .integer64), .init("code", .string),
      ],
      uniquenessConstraints: [["code"]],
      fetchIndexes: [
        .init("byPlays", elements: [.init("plays", isAscending: false)]),
        .init("byArtist", elements: [.init("artist"), .init("plays", isAscending: false)]),
      ])
  ])

  /// Returns SQLite's plan of the statement that a fetch runs.
  private func plan(_ predicate: FetchPredicate?, _ sortDescriptors: [FetchSortDescriptor] = []) throws -> String {
    let statements = Guarded<[String]>([])
    let fixture = try StoreFixture(model: Self.model)
    let store = try fixture.open(onStatement: { sql in statements.withLock { $0.append(sql) } })
    let song = Self.model.entity("Song")
    try store.insert(song, (0..<50).map { [.string("t\($0)"), .string("a"), .integer(Int64($0)), .string("c\($0)")] })
    _ = try store.fetch(StoreFetchRequest(entity: song, predicate: predicate, sortDescriptors: sortDescriptors))
    let select = try #require(statements.withLock { $0.last })
    try store.close()
    return try PlainDatabase(fixture.path).rows("EXPLAIN QUERY PLAN " + select).map { $0.joined(separator: " ") }
      .joined(separator: "; ")
  }

  private func path(_ name: String) -> PropertyPath { Self.model.entity("Song").path(name) }

  @Test func `a compound index is used for an equality with a sort order`() throws {
    let plan = try plan(.equal(path("artist"), .string("a")), [FetchSortDescriptor(path("plays"), isAscending: false)])
    #expect(plan.contains("USING INDEX Z_Song_byArtist (ZARTIST=?)"), "\(plan)")
  }

  @Test func `a descending index is used for a range`() throws {
    let plan = try plan(.comparison(path("plays"), .greater, .integer(40)))
    #expect(plan.contains("USING INDEX Z_Song_byPlays (ZPLAYS>?)"), "\(plan)")
  }

  @Test func `a uniqueness constraint is used for look-ups by its values`() throws {
    let plan = try plan(.equal(path("code"), .string("c7")))
    #expect(plan.contains("USING INDEX Z_Song_UNIQUE_code (ZCODE=?)"), "\(plan)")
  }

  @Test func `a fetch by an attribute without an index scans the table`() throws {
    let plan = try plan(.equal(path("title"), .string("t7")))
    #expect(plan.contains("SCAN") && !plan.contains("INDEX"), "\(plan)")
  }
}
