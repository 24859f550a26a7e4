import ContextEngine
import TestSupport
import Testing

@Suite struct ModelTests {
  @Test func `attributes have the first slots, then to-one relationships, in declared order`() {
    #expect(Book.entity.slots.map(\.name) == ["title", "year", "price", "isRead", "addedAt", "note", "author"])
    #expect(Book.entity.toManys.map(\.name) == ["chapters"])
    #expect(Author.entity.slots.map(\.name) == ["name", "born", "passport"])
  }

  @Test func `entities are numbered from one in declared order`() {
    #expect(Library.model.entities.map(\.number) == [1, 2, 3, 4])
    #expect(Library.model.entities.map(\.name) == ["Author", "Book", "Chapter", "Passport"])
  }

  @Test func `a relationship has its inverse, destination and delete rule`() throws {
    let toMany = try #require(Author.entity.toManys.first)
    #expect(toMany.inverse == Book.author)
    #expect(Library.model.entities[toMany.destination] === Book.entity)
    guard case .toOne(let toOne) = Author.entity.slots[2] else {
      Issue.record("the last slot of an author is no relationship")
      return
    }
    #expect(toOne.inverse == Passport.author)
    #expect(toOne.deleteRule == .cascade)
  }

  @Test func `pathIfPresent returns the property of that name or nil`() {
    #expect(Book.entity.pathIfPresent("title") == Book.title)
    #expect(Book.entity.pathIfPresent("isbn") == nil)
  }

  @Test func `an entity may be related to itself`() {
    let model = ManagedObjectModel([
      .init(
        "Folder", attributes: [],
        relationships: [
          .init("parent", to: "Folder", inverse: "children"),
          .init("children", to: "Folder", inverse: "parent", isToMany: true),
        ])
    ])
    #expect(model.entities[0].toManys[0].inverse == model.entities[0].path("parent"))
  }

  @Test func `asking for a missing property stops the process and lists the existing ones`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Passport.entity.path("photo")
    }
    try expectSentence("entity Passport has no property photo; it has number, author", from: result)
  }

  @Test func `asking for a missing entity stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Library.model.entity("Publisher")
    }
    try expectSentence("the model has no entity Publisher", from: result)
  }

  @Test func `declarations that contradict each other stop the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ManagedObjectModel([.init("A", attributes: []), .init("A", attributes: [])])
    }
    try expectSentence("the model declares entity A twice", from: result)
  }

  /// Declarations that contradict each other, with the sentence of their error.
  private static let wrong: [(declarations: [ManagedObjectModel.Declaration], sentence: String)] = [
    (
      [.init("A", attributes: [.init("x", .string), .init("x", .date)])], "entity A declares property x twice"
    ),
    (
      [.init("A", attributes: [], relationships: [.init("b", to: "B", inverse: "a")])],
      "relationship A.b leads to entity B, which the model does not have"
    ),
    (
      [.init("A", attributes: [], relationships: [.init("b", to: "B", inverse: "a")]), .init("B", attributes: [])],
      "relationship A.b names B.a as its inverse, which does not exist"
    ),
    (
      [
        .init("A", attributes: [], relationships: [.init("b", to: "B", inverse: "c")]),
        .init("B", attributes: [], relationships: [.init("c", to: "C", inverse: "b")]),
        .init("C", attributes: [], relationships: [.init("b", to: "B", inverse: "c")]),
      ], "relationship A.b and B.c are not each other's inverse"
    ),
    (
      [
        .init("A", attributes: [], relationships: [.init("b", to: "B", inverse: "as", isOrdered: true)]),
        .init("B", attributes: [], relationships: [.init("as", to: "A", inverse: "b", isToMany: true)]),
      ], "relationship A.b is to-one and cannot be ordered"
    ),
    (
      [.init("Wide", attributes: (0..<1_998).map { .init("a\($0)", .string) })],
      "entity Wide has 1998 attributes and to-one relationships; 1997 are possible"
    ),
  ]

  @Test(arguments: wrong.indices)
  func `declarations that contradict each other are an error`(index: Int) {
    let error = #expect(throws: PersistenceError.self) {
      try ManagedObjectModel(checking: Self.wrong[index].declarations)
    }
    #expect(error?.code == .invalidModel && error?.message.contains(Self.wrong[index].sentence) == true)
  }

  @Test func `a model has at most 4,096 entities`() throws {
    func declarations(_ count: Int) -> [ManagedObjectModel.Declaration] {
      (0..<count).map { .init("Entity\($0)", attributes: [.init("name", .string)]) }
    }
    #expect(try ManagedObjectModel(checking: declarations(4_096)).entities.count == 4_096)
    let error = #expect(throws: PersistenceError.self) { try ManagedObjectModel(checking: declarations(4_097)) }
    #expect(error?.code == .invalidModel && error?.message == "the model has 4097 entities; it can have 4096")
  }

  @Test func `a default value of another type stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AttributeDescription("age", .integer64, defaultValue: .string("old"))
    }
    try expectSentence("attribute age is of type integer64, but its default value string(\"old\") is not", from: result)
  }
}
