import ContextEngine
import MachineCore
import Testing

/// Batch requests on models with constraints, entities that inherit and many-to-many relationships.
@Suite struct BatchFamilyTests {
  private static let model = ManagedObjectModel([
    .init(
      "Work", attributes: [.init("title", .string), .init("year", .integer64)],
      relationships: [.init("tags", to: "Tag", inverse: "works", isToMany: true)]),
    .init("Novel", attributes: [.init("pages", .integer64)], superentity: "Work"),
    .init("Poem", attributes: [.init("lines", .integer64)], superentity: "Work"),
    .init(
      "Tag", attributes: [.init("name", .string), .init("colour", .string), .init("rank", .integer64)],
      relationships: [.init("works", to: "Work", inverse: "tags", isToMany: true)],
      uniquenessConstraints: [["name"], ["colour", "rank"]]),
  ])

  private func insertTags(_ stack: Stack, _ policy: MergePolicy, _ tags: [[String: Value]]) throws -> [Int64] {
    let context = stack.context()
    context.performAndWait { context.mergePolicy = policy }
    var request = BatchInsertRequest(Self.model.entity("Tag"), objects: tags)
    request.resultType = .objectIDs
    return try context.executeAndWait(request).objectIDs.map(\.key)
  }

  /// Core Data's SQL was observed to be INSERT OR IGNORE under the error policy.
  @Test(arguments: [MergePolicy.error, .storeTrump, .rollback])
  func `a batch insert skips rows that violate a constraint unless the object wins`(policy: MergePolicy) throws {
    let stack = try Stack(model: Self.model, configure: { $0.tracksHistory = true })
    #expect(try insertTags(stack, policy, [["name": "new", "rank": 1], ["name": "old", "rank": 2]]) == [1, 2])
    let second: [[String: Value]] = [["name": "old", "rank": 9], ["name": "rare"], ["name": .null], ["name": .null]]
    #expect(try insertTags(stack, policy, second) == [4, 5, 6])
    let rows = try PlainReader(stack).rows("SELECT Z_PK, Z_OPT, ZNAME, ZRANK FROM ZTAG ORDER BY Z_PK")
    #expect(
      rows == [
        ["1", "1", "new", "1"], ["2", "1", "old", "2"], ["4", "1", "rare", "NULL"], ["5", "1", "NULL", "NULL"],
        ["6", "1", "NULL", "NULL"],
      ])
  }

  /// Core Data's SQL was observed to be an upsert that raises the version if the object wins.
  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `a batch insert updates the row with the unique value if the object wins`(policy: MergePolicy) throws {
    let stack = try Stack(model: Self.model, configure: { $0.tracksHistory = true })
    let first: [[String: Value]] = [["name": "new", "colour": "red", "rank": 1], ["name": "old", "colour": "blue"]]
    #expect(try insertTags(stack, policy, first) == [1, 2])
    // The first object matches a row by its name, the second by its colour, and the third does not match a row.
    let second: [[String: Value]] = [
      ["name": "old", "rank": 7], ["name": "newer", "colour": "red", "rank": 1], ["name": "rare"],
    ]
    #expect(Set(try insertTags(stack, policy, second)) == [1, 2, 5])
    let rows = try PlainReader(stack).rows("SELECT Z_PK, Z_OPT, ZNAME, ZCOLOUR, ZRANK FROM ZTAG ORDER BY Z_PK")
    #expect(
      rows == [
        ["1", "2", "newer", "red", "1"], ["2", "2", "old", "blue", "7"], ["5", "1", "rare", "NULL", "NULL"],
      ])
    let changes = try stack.coordinator.execute(.fetchHistory(after: nil)).transactions.last?.changes
    #expect(changes?.map(\.changeType) == [.insert, .update, .update])
  }

  @Test(arguments: 0...2)
  func `batch requests on a superentity include its subentities`(depth: Int) throws {
    let stack = try Stack(model: Self.model)
    let context = stack.chain(depth).leaf
    let (work, novel, poem) = (Self.model.entity("Work"), Self.model.entity("Novel"), Self.model.entity("Poem"))
    try context.executeAndWait(BatchInsertRequest(novel, objects: [["title": "Emma", "year": 1815, "pages": 474]]))
    try context.executeAndWait(BatchInsertRequest(poem, objects: [["title": "Ode", "year": 1819, "lines": 50]]))
    try context.executeAndWait(BatchInsertRequest(work, objects: [["title": "Letters", "year": 1820]]))
    var update = BatchUpdateRequest(work, propertiesToUpdate: [work.path("year"): .constant(1900)])
    update.resultType = .objectIDs
    let updated = try context.executeAndWait(update).objectIDs
    #expect(updated.map { Int($0.entity) } == [novel.index, poem.index, work.index])
    #expect(updated.map(\.key) == [1, 2, 3])
    let ofNovels = BatchUpdateRequest(novel, propertiesToUpdate: [work.path("year"): .constant(1901)])
    try context.executeAndWait(ofNovels)
    var deletion = BatchDeleteRequest(
      FetchRequest(work, predicate: .equal(work.path("year"), .integer(1900))))
    deletion.resultType = .objectIDs
    #expect(try context.executeAndWait(deletion).objectIDs.map { Int($0.entity) } == [work.index, poem.index].sorted())
    #expect(try PlainReader(stack).rows("SELECT ZTITLE, ZYEAR, Z_OPT FROM ZWORK") == [["Emma", "1901", "3"]])
  }

  @Test func `a batch delete removes the pairs of many-to-many relationships`() throws {
    let stack = try Stack(model: Self.model)
    let context = stack.context()
    let novels = try context.performAndWait {
      let tag = context.insert(Self.model.entity("Tag"))
      let novels = (0..<2).map { _ in
        let novel = context.insert(Self.model.entity("Novel"))
        novel.add(tag, to: Self.model.entity("Work").path("tags"))
        return novel
      }
      try context.save()
      return novels.map(\.objectID)
    }
    try context.executeAndWait(BatchDeleteRequest(objectIDs: [novels[0]]))
    let reader = try PlainReader(stack)
    let table = try #require(try reader.rows("SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*'").first?[0])
    #expect(try reader.rows("SELECT COUNT(*) FROM \(table)") == [["1"]])
    #expect(try reader.rows("SELECT COUNT(*) FROM ZTAG") == [["1"]])
  }

  @Test func `deny fails a batch delete, and no action keeps foreign keys`() throws {
    let model = ManagedObjectModel([
      .init(
        "Shelf", attributes: [.init("name", .string)],
        relationships: [
          .init("boxes", to: "Box", inverse: "shelf", isToMany: true, deleteRule: .deny),
          .init("labels", to: "Label", inverse: "shelf", isToMany: true, deleteRule: .noAction),
        ]),
      .init(
        "Box", attributes: [], relationships: [.init("shelf", to: "Shelf", inverse: "boxes", deleteRule: .cascade)]),
      .init("Label", attributes: [], relationships: [.init("shelf", to: "Shelf", inverse: "labels")]),
    ])
    let stack = try Stack(model: model)
    let context = stack.context()
    let (shelf, box) = try context.performAndWait {
      let shelf = context.insert(model.entity("Shelf"))
      let box = context.insert(model.entity("Box"))
      box.relate(shelf, at: model.entity("Box").path("shelf"))
      let label = context.insert(model.entity("Label"))
      label.relate(shelf, at: model.entity("Label").path("shelf"))
      try context.save()
      return (shelf.objectID, box.objectID)
    }
    let refused = #expect(throws: PersistenceError.self) {
      try context.executeAndWait(BatchDeleteRequest(objectIDs: [shelf]))
    }
    #expect(refused?.code == .validationRelationshipDeniedDelete && refused?.objectIDs == [box])
    let reader = try PlainReader(stack)
    #expect(try reader.rows("SELECT COUNT(*) FROM ZSHELF") == [["1"]])
    // The deletion of the box cascades to its shelf, which then has no other box that denies the deletion.
    var request = BatchDeleteRequest(objectIDs: [box])
    request.resultType = .objectIDs
    #expect(try context.executeAndWait(request).objectIDs == [box, shelf])
    #expect(try reader.rows("SELECT ZSHELF FROM ZLABEL") == [["1"]])
  }
}
