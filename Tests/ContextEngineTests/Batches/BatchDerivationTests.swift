import ContextEngine
import TestSupport
import Testing

/// Tests of derived attributes after batch requests, which equal those after a save of the same changes. Core Data's
/// files have triggers that compute them after every statement.
@Suite struct BatchDerivationTests {
  /// Returns the songs, singers and lists in the file, each with its attributes, derived attributes and version.
  private static func shelf(_ stack: Stack) throws -> [[String]] {
    let reader = try PlainReader(stack)
    return try reader.rows(
      "SELECT ZTITLE, ZSECONDS, ZPLAIN, ZLARGE, ZSMALL, ZSINGERNAME, ZSAVEDAT IS NULL, Z_OPT FROM ZSONG ORDER BY Z_PK")
      + reader.rows("SELECT ZNAME, ZSONGCOUNT, ZLENGTH, Z_OPT FROM ZSINGER ORDER BY Z_PK")
      + reader.rows("SELECT ZCOUNT, ZLENGTH, Z_OPT FROM ZLIST ORDER BY Z_PK")
  }

  /// Saves two singers with two songs each, all in one list and the first also in another.
  private static func seed(_ stack: Stack) throws {
    try stack.seed { context in
      let lists = [context.insert(Shelf.list), context.insert(Shelf.list)]
      for (number, name) in ["Ana", "Bo"].enumerated() {
        let singer = context.insertSinger(name)
        for part in 1...2 {
          let song = context.insertSong("Über \(number) \(part)", seconds: Int64(10 * number + part), by: singer)
          lists[0].add(song, to: Shelf.listSongs)
          if number + part == 1 { lists[1].add(song, to: Shelf.listSongs) }
        }
      }
    }
  }

  /// Carries out a batch request in one store and the same changes by a save in another, and compares everything except
  /// the versions, because a save also raises those of objects that lose a member.
  private static func expectSame(
    _ batch: @escaping (ManagedObjectContext) throws -> Void,
    _ changes: @escaping (ManagedObjectContext) throws -> Void
  ) throws {
    var shelves: [[[String]]] = []
    for body in [batch, changes] {
      let stack = try Stack(model: Shelf.model)
      try seed(stack)
      let context = stack.context()
      try context.performAndWait {
        try body(context)
        if context.hasChanges { try context.save() }
      }
      shelves.append(try shelf(stack).map { $0.dropLast() })
    }
    #expect(shelves[0] == shelves[1])
  }

  @Test func `a batch insert derives the attributes of its rows`() throws {
    let stack = try Stack(model: Shelf.model)
    let context = stack.context()
    let before = stack.machine.now
    try context.executeAndWait(
      BatchInsertRequest(Shelf.song, objects: [["title": "Über ALLES", "seconds": 3], ["seconds": 4]]))
    try context.executeAndWait(BatchInsertRequest(Shelf.singer, objects: [["name": "Ana"]]))
    #expect(
      try Self.shelf(stack) == [
        ["Über ALLES", "3", "uber alles", "ÜBER ALLES", "über alles", "NULL", "0", "1"],
        ["NULL", "4", "NULL", "NULL", "NULL", "NULL", "0", "1"], ["Ana", "0", "0", "1"],
      ])
    try stack.inStore { reading in
      let savedAt = try #require(try reading.song("Über ALLES").date(at: Shelf.savedAt))
      #expect(savedAt >= Double(before.nanoseconds) / 1e9 && savedAt <= Double(stack.machine.now.nanoseconds) / 1e9)
    }
  }

  @Test func `a batch update recomputes derived attributes of its rows and of related rows`() throws {
    let updates: [(EntityDescription, PropertyPath, UpdateExpression)] = [
      (Shelf.song, Shelf.title, .constant("Ärger")),
      (Shelf.song, Shelf.seconds, .constant(1_000)),
      (Shelf.singer, Shelf.singerNameOfOwn, .constant("Eva")),
    ]
    for (entity, path, expression) in updates {
      guard case .constant(let value) = expression else { return }
      try Self.expectSame { context in
        _ = try context.execute(BatchUpdateRequest(entity, propertiesToUpdate: [path: expression]))
      } _: { context in
        for object in try context.fetch(FetchRequest(entity)) { object[path] = value }
      }
    }
  }

  @Test func `a recomputed row keeps its version and its derived date`() throws {
    let stack = try Stack(model: Shelf.model)
    try Self.seed(stack)
    let reader = try PlainReader(stack)
    let sql = "SELECT ZSAVEDAT FROM ZSONG"
    let instants = try reader.rows(sql)
    let context = stack.context()
    try context.executeAndWait(
      BatchUpdateRequest(Shelf.singer, propertiesToUpdate: [Shelf.singerNameOfOwn: .constant("Eva")]))
    #expect(try reader.rows(sql) == instants)
    #expect(try reader.rows("SELECT DISTINCT ZSINGERNAME, Z_OPT FROM ZSONG") == [["Eva", "1"]])
    try context.executeAndWait(BatchUpdateRequest(Shelf.song, propertiesToUpdate: [Shelf.seconds: .constant(0)]))
    #expect(try reader.rows(sql).contains { instants.contains($0) } == false)
  }

  @Test func `a batch delete recomputes derived counts, sums and values`() throws {
    for (entity, path, value) in [
      (Shelf.song, Shelf.seconds, Value.integer(1)), (Shelf.song, Shelf.seconds, 12),
      (Shelf.singer, Shelf.singerNameOfOwn, "Ana"),
    ] {
      let request = FetchRequest(entity, predicate: .equal(path, value))
      try Self.expectSame { context in
        _ = try context.execute(BatchDeleteRequest(request))
      } _: { context in
        for object in try context.fetch(request) { context.delete(object) }
      }
    }
  }

  @Test func `history lists rows with recomputed derived attributes`() throws {
    let stack = try Stack(model: Shelf.model, configure: { $0.tracksHistory = true })
    try Self.seed(stack)
    let context = stack.context()
    func changes() throws -> [[String]] {
      let changes = try stack.coordinator.execute(.fetchHistory(after: nil)).transactions.last?.changes ?? []
      return changes.map { change in
        let entity = Shelf.model.entities[change.changedObjectID.entityIndex].name
        return ["\(entity) \(change.changedObjectID.key)"] + (change.updatedProperties ?? []).sorted()
      }
    }
    try context.executeAndWait(
      BatchUpdateRequest(
        Shelf.singer, predicate: .equal(Shelf.singerNameOfOwn, "Ana"),
        propertiesToUpdate: [Shelf.singerNameOfOwn: .constant("Eva")]))
    #expect(try changes() == [["Singer 1", "name"], ["Song 1", "singerName"], ["Song 2", "singerName"]])
    try context.executeAndWait(
      BatchUpdateRequest(
        Shelf.song, predicate: .equal(Shelf.seconds, 1), propertiesToUpdate: [Shelf.seconds: .constant(9)]))
    #expect(
      try changes() == [
        ["Song 1", "savedAt", "seconds"], ["Singer 1", "length"], ["List 1", "length"], ["List 2", "length"],
      ])
    try context.executeAndWait(
      BatchDeleteRequest(FetchRequest(Shelf.singer, predicate: .equal(Shelf.singerNameOfOwn, "Eva"))))
    #expect(
      try changes() == [
        ["Song 1", "savedAt", "singer", "singerName"], ["Song 2", "savedAt", "singer", "singerName"], ["Singer 1"],
      ])
  }

  // MARK: Families, long ways, limits

  private static let tree = ManagedObjectModel([
    .init(
      "Node",
      attributes: [
        .init("name", .string), .init("size", .integer64), .init("mass", .double),
        .init("key", .string, derivationExpression: "canonical:(name)"),
        .init("parentName", .string, derivationExpression: "parent.name"),
        .init("grandName", .string, derivationExpression: "uppercase:(parent.parent.name)"),
        .init("small", .integer16, derivationExpression: "children.size.@sum"),
        .init("whole", .integer64, derivationExpression: "children.size.@sum"),
        .init("weight", .float, derivationExpression: "children.mass.@sum"),
      ],
      relationships: [
        .init("parent", to: "Node", inverse: "children"),
        .init("children", to: "Node", inverse: "parent", isToMany: true),
      ], uniquenessConstraints: [["key"]]),
    .init("Leaf", attributes: [], superentity: "Node"),
  ])

  /// Returns a stack with three objects, each the parent of the next (a node, a leaf and a node), and a context.
  private static func plant() throws -> (stack: Stack, context: ManagedObjectContext) {
    let stack = try Stack(model: tree)
    let (node, leaf) = (tree.entity("Node"), tree.entity("Leaf"))
    try stack.seed { context in
      var parent: ManagedObject?
      for (entity, name) in [(node, "a"), (leaf, "b"), (node, "c")] {
        let object = context.insert(entity)
        object[node.path("name")] = .string(name)
        if let parent { object.relate(parent, at: node.path("parent")) }
        parent = object
      }
    }
    return (stack, stack.context())
  }

  private static func rows(_ stack: Stack, _ columns: String) throws -> [[String]] {
    try PlainReader(stack).rows("SELECT \(columns) FROM ZNODE ORDER BY Z_PK")
  }

  @Test func `a derivation over several to-one relationships is recomputed after updates and deletions`() throws {
    let (stack, context) = try Self.plant()
    let node = Self.tree.entity("Node")
    let request = BatchUpdateRequest(
      node, predicate: .equal(node.path("name"), "a"), propertiesToUpdate: [node.path("name"): .constant("äh")])
    try context.executeAndWait(request)
    let columns = "ZNAME, ZKEY, ZPARENTNAME, ZGRANDNAME"
    #expect(
      try Self.rows(stack, columns) == [
        ["äh", "ah", "NULL", "NULL"], ["b", "b", "äh", "NULL"], ["c", "c", "b", "ÄH"],
      ])
    try context.executeAndWait(
      BatchDeleteRequest(FetchRequest(Self.tree.entity("Leaf"))))
    #expect(try Self.rows(stack, columns) == [["äh", "ah", "NULL", "NULL"], ["c", "c", "NULL", "NULL"]])
  }

  @Test(arguments: [
    (Int64.max, "32767", "9223372036854775807"), (.min, "-32768", "-9223372036854775808"), (5, "5", "5"),
    (-70_000, "-32768", "-70000"), (1 << 40, "32767", "1099511627776"),
  ])
  func `derived sums are clamped to the limits of their types`(_ size: Int64, _ small: String, _ whole: String) throws {
    let (stack, context) = try Self.plant()
    let node = Self.tree.entity("Node")
    try context.executeAndWait(
      BatchUpdateRequest(
        node,
        propertiesToUpdate: [
          node.path("size"): .constant(.integer(size)), node.path("mass"): .constant(.double(0.1)),
        ]))
    #expect(try Self.rows(stack, "ZSMALL, ZWHOLE").first == [small, whole])
    try stack.inStore { reading in
      let first = try #require(try reading.fetch(FetchRequest(node, predicate: .equal(node.path("key"), "a"))).first)
      #expect(first[node.path("weight")] == .double(Double(Float(0.1))))
    }
  }

  @Test func `a derived sum that overflows 64 bits is clamped`() throws {
    let (stack, context) = try Self.plant()
    let node = Self.tree.entity("Node")
    try context.performAndWait {
      let objects = try context.fetch(FetchRequest(node, sortDescriptors: [FetchSortDescriptor(node.path("key"))]))
      objects[2].relate(objects[0], at: node.path("parent"))
      try context.save()
    }
    for (size, whole) in [(Int64.max, "9223372036854775807"), (.min, "-9223372036854775808")] {
      try context.executeAndWait(
        BatchUpdateRequest(node, propertiesToUpdate: [node.path("size"): .constant(.integer(size))]))
      #expect(try Self.rows(stack, "ZWHOLE").first == [whole])
    }
  }

  @Test func `a derived value that violates a uniqueness constraint fails the request with error 1551`() throws {
    let (stack, context) = try Self.plant()
    let before = try Self.rows(stack, "ZNAME, ZKEY, Z_OPT")
    let node = Self.tree.entity("Node")
    let update = BatchUpdateRequest(
      node, predicate: .equal(node.path("name"), "a"), propertiesToUpdate: [node.path("name"): .constant("B")])
    let insertion = BatchInsertRequest(node, objects: [["name": "new"], ["name": "C"]])
    let requests: [(ManagedObjectContext) throws -> Void] = [
      { _ = try $0.executeAndWait(update) }, { _ = try $0.executeAndWait(insertion) },
    ]
    for request in requests {
      let error = #expect(throws: PersistenceError.self) { try request(context) }
      #expect(error?.code == .managedObjectConstraintValidation && error?.message.contains("attribute key") == true)
      #expect(try Self.rows(stack, "ZNAME, ZKEY, Z_OPT") == before)
    }
  }

  @Test func `a row updated by a batch insert recomputes its derived attributes`() throws {
    let model = ManagedObjectModel([
      .init(
        "Word",
        attributes: [
          .init("code", .integer64), .init("text", .string),
          .init("plain", .string, derivationExpression: "canonical:(text)"),
        ], uniquenessConstraints: [["code"]])
    ])
    let stack = try Stack(model: model)
    let context = stack.context()
    context.performAndWait { context.mergePolicy = .objectTrump }
    let word = model.entity("Word")
    for text in ["Eins", "Zwei"] {
      try context.executeAndWait(BatchInsertRequest(word, objects: [["code": 1, "text": .string(text)]]))
    }
    #expect(try PlainReader(stack).rows("SELECT ZTEXT, ZPLAIN, Z_OPT FROM ZWORD") == [["Zwei", "zwei", "2"]])
  }

  @Test func `setting a derived attribute in a batch insert throws or stops the process`() async throws {
    let stack = try Stack(model: Shelf.model)
    let error = #expect(throws: PersistenceError.self) {
      try stack.context().executeAndWait(BatchInsertRequest(Shelf.song, objects: [["title": "a", "plain": "b"]]))
    }
    #expect(error?.code == .unsupportedRequest)
    #expect(error?.message.contains("sets Song.plain, which is derived from “canonical:(title)”") == true)
    #expect(try Self.shelf(stack).isEmpty)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let request = BatchInsertRequest(Shelf.song) { (row: inout BatchRow) in
        row[Shelf.plain] = "x"
        return true
      }
      try Stack(model: Shelf.model).context().executeAndWait(request)
    }
    try expectSentence("Song.plain was set in a batch insert, but is derived from “canonical:(title)”", from: result)
  }
}
