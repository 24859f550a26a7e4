import ContextEngine
import TestSupport
import Testing

/// Relationships without an inverse in the file of a SQLite store.
@Suite struct OneWayColumnTests {
  private func makeStack() throws -> Stack {
    let stack = try Stack(model: League.model) { $0.tracksHistory = true }
    try stack.seed { context in
      let reds = context.insert(League.team, named: "Reds")
      reds.relate(context.insert(League.person, named: "Cora"), at: League.coach)
      for name in ["Ada", "Bea"] { reds.add(context.insert(League.person, named: name), to: League.players) }
      reds.add(context.insert(League.match, named: "first"), to: League.matches)
    }
    return stack
  }

  @Test func `a to-many relationship without an inverse is a key column in the destination's table`() throws {
    let stack = try makeStack()
    let team = League.team.number
    func columns(_ table: String) throws -> [String] {
      try plainRows(stack.folder.storePath, "SELECT name FROM pragma_table_info('\(table)')").map { $0[0] }
    }
    #expect(
      try columns("ZPERSON") == [
        "Z_PK", "Z_ENT", "Z_OPT", "Z\(team)PLAYERS", "Z\(team)_\(team)PLAYERS", "ZSAVES", "ZNAME",
      ])
    #expect(
      try columns("ZMATCH")
        == ["Z_PK", "Z_ENT", "Z_OPT", "Z\(team)MATCHES", "Z\(team)_\(team)MATCHES", "Z_FOK_\(team)MATCHES", "ZNAME"])
    #expect(try columns("ZSTADIUM") == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
    let keys = try plainRows(stack.folder.storePath, "SELECT ZNAME, Z\(team)PLAYERS FROM ZPERSON ORDER BY ZNAME")
    #expect(keys == [["Ada", "1"], ["Bea", "1"], ["Cora", "NULL"]])
    let again = try Stack(model: League.model, on: stack.folder) { $0.tracksHistory = true }
    #expect(try again.inStore { try $0.named("Reds", League.team).names(League.players) } == ["Ada", "Bea"])
  }

  @Test func `history does not name the key of a to-many relationship without an inverse`() throws {
    let stack = try makeStack()
    let context = stack.context()
    try context.performAndWait {
      let reds = try context.named("Reds", League.team)
      reds.remove(try context.named("Ada", League.person), from: League.players)
      reds.relate(nil, at: League.coach)
      try context.save()
    }
    let last = try #require(try stack.coordinator.execute(.fetchHistory(after: nil)).transactions.last)
    let changes = try #require(last.changes)
    #expect(changes.map(\.changedObjectID.entityIndex) == [League.team.index, League.person.index])
    #expect(changes.map { $0.updatedProperties ?? [] } == [["coachName", "playerCount", "coach"], []])
  }

  @Test func `a batch delete carries out the rules of relationships without an inverse`() throws {
    let stack = try makeStack()
    let context = stack.context()
    // A deleted target leaves the key of a to-one relationship as it is.
    try context.executeAndWait(
      BatchDeleteRequest(FetchRequest(League.person, predicate: .equal(League.person.path("name"), "Cora"))))
    #expect(try plainRows(stack.folder.storePath, "SELECT ZCOACH FROM ZTEAM") != [["NULL"]])
    try context.executeAndWait(BatchDeleteRequest(FetchRequest(League.team)))
    let team = League.team.number
    let keys = try plainRows(stack.folder.storePath, "SELECT ZNAME, Z\(team)PLAYERS FROM ZPERSON ORDER BY ZNAME")
    #expect(keys == [["Ada", "NULL"], ["Bea", "NULL"]])
    #expect(try plainRows(stack.folder.storePath, "SELECT count(*) FROM ZMATCH") == [["0"]])
  }
}
