import ContextEngine
import TestSupport
import Testing

/// Stores with the triggers by which Core Data updates derived attributes. The triggers call functions that only Core
/// Data's connections have, so that other connections could not write to the file if the triggers fired.
@Suite struct TriggerTests {
  private static let triggers = [
    """
    CREATE TRIGGER Z_DA_ZSONG_Song_savedAt_UPDATE AFTER UPDATE OF Z_OPT ON ZSONG FOR EACH ROW BEGIN \
    UPDATE ZSONG SET ZSAVEDAT = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; \
    SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZSONG', Z_ENT, Z_PK, 'savedAt', ZSAVEDAT) FROM ZSONG \
    WHERE Z_PK = NEW.Z_PK; END
    """,
    """
    CREATE TRIGGER Z_DA_ZSONG_Singer_songs_INSERT AFTER INSERT ON ZSONG FOR EACH ROW BEGIN \
    UPDATE ZSINGER SET ZSONGCOUNT = ZSONGCOUNT + 1 WHERE Z_PK = NEW.ZSINGER; \
    SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZSINGER', Z_ENT, Z_PK, 'songCount', ZSONGCOUNT) \
    FROM ZSINGER WHERE Z_PK = NEW.ZSINGER; END
    """,
    """
    CREATE TRIGGER Z_DA_ZSONG_Singer_songs_DELETE AFTER DELETE ON ZSONG FOR EACH ROW BEGIN \
    UPDATE ZSINGER SET ZSONGCOUNT = 1000 WHERE Z_PK = OLD.ZSINGER; END
    """,
  ]

  @Test func `a store with Core Data's triggers is written, and derived attributes are computed once`() throws {
    let folder = try TemporaryFolder()
    let first = try Stack(model: Shelf.model, on: folder)
    try first.seed { $0.insertSong("One", seconds: 1, by: $0.insertSinger("Ana")) }
    try first.store.close()
    for trigger in Self.triggers { try plainRows(folder.storePath, trigger) }
    let stack = try Stack(model: Shelf.model, on: folder)
    let context = stack.context()
    try context.performAndWait {
      let singer = try context.singer("Ana")
      try context.song("One")[Shelf.title] = "First"
      context.insertSong("Two", seconds: 2, by: singer)
      try context.save()
      #expect(singer[Shelf.songCount] == 2 && singer[Shelf.length] == 3)
      _ = try context.execute(BatchUpdateRequest(Shelf.song, propertiesToUpdate: [Shelf.seconds: .constant(4)]))
      _ = try context.execute(BatchInsertRequest(Shelf.song, objects: [["title": "Three"]]))
      _ = try context.execute(
        BatchDeleteRequest(FetchRequest(Shelf.song, predicate: .equal(Shelf.title, "Two"))))
    }
    try stack.store.close()
    #expect(try plainRows(folder.storePath, "SELECT ZSONGCOUNT, ZLENGTH FROM ZSINGER") == [["1", "4"]])
    #expect(try plainRows(folder.storePath, "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'") == [["3"]])
  }
}
