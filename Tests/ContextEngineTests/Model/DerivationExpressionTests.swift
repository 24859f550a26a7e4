import ContextEngine
import TestSupport
import Testing

/// Tests of the expressions from which a model may derive attributes. They need no store.
@Suite struct DerivationExpressionTests {
  private static func error(_ expression: String, _ type: AttributeType = .string) -> String? {
    do throws(PersistenceError) {
      _ = try ManagedObjectModel(checking: [
        .init(
          "Song",
          attributes: [
            .init("title", .string), .init("note", .string, isTransient: true),
            .init("plain", .string, derivationExpression: "title"),
            .init("derived", type, derivationExpression: expression),
          ], relationships: [.init("singer", to: "Singer", inverse: "songs")]),
        .init(
          "Singer", attributes: [.init("name", .string), .init("born", .integer64)],
          relationships: [.init("songs", to: "Song", inverse: "singer", isToMany: true)]),
      ])
      return nil
    } catch {
      return error.code == .invalidModel ? error.message : "another code"
    }
  }

  @Test(arguments: [
    ("titel", AttributeType.string, "entity Song has no property titel"),
    ("singer.nam", .string, "entity Singer has no property nam"),
    ("singer.songs.title", .string, "Singer.songs is a to-many relationship"),
    ("title.name", .string, "Song.title is not a to-one relationship"),
    ("singer", .string, "Song.singer is not an attribute"),
    ("singer.born", .string, "Singer.born is of type integer64, the derived attribute of type string"),
    ("canonical:(singer.born)", .integer64, "Singer.born is not a string"),
    ("capital:(title)", .string, "function capital: is not known"),
    ("note", .string, "Song.note is transient"),
    ("plain", .string, "Song.plain is derived itself"),
    ("singer.@count", .integer64, "Song.singer is not a to-many relationship"),
    ("now()", .string, "now() gives a date"),
    ("", .string, "entity Song has no property "),
  ])
  func `an invalid derivation expression throws an error that names entity and attribute`(
    _ expression: String, _ type: AttributeType, _ reason: String
  ) throws {
    let message = try #require(Self.error(expression, type))
    #expect(message.contains("derived attribute Song.derived") && message.contains(reason), "\(message)")
  }

  @Test(arguments: ["title", "singer.name", "canonical:(title)", "uppercase:(singer.name)", "lowercase:(title)"])
  func `derivations may use to-one key paths and string functions`(_ expression: String) {
    #expect(Self.error(expression) == nil)
  }

  @Test func `an invalid derivation in a declared model stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ManagedObjectModel([.init("A", attributes: [.init("x", .string, derivationExpression: "y")])])
    }
    try expectSentence("derived attribute A.x cannot be computed from “y”: entity A has no property y", from: result)
  }

  @Test func `setting a derived attribute stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(model: Shelf.model)
      let context = stack.context()
      context.performAndWait { context.insert(Shelf.song)[Shelf.plain] = "x" }
    }
    try expectSentence("Song.plain was set, but is derived from “canonical:(title)” at each save", from: result)
  }
}
