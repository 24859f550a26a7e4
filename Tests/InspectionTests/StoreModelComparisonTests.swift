import ContextEngine
import Foundation
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import TrialProcesses

@Suite struct StoreModelComparisonTests {
  private typealias Declaration = ManagedObjectModel.Declaration

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The declarations of a model in which one part after the other is changed.
  private static let author = Declaration(
    "Author", attributes: [.init("name", .string)],
    relationships: [
      .init("books", to: "Book", inverse: "author", isToMany: true, isOrdered: true),
      .init("genres", to: "Genre", inverse: "authors", isToMany: true),
    ], uniquenessConstraints: [["name"]])
  private static let book = Declaration(
    "Book", attributes: [.init("title", .string), .init("pages", .integer32)],
    relationships: [.init("author", to: "Author", inverse: "books")])
  private static let novel = Declaration("Novel", attributes: [], superentity: "Book")
  private static let genre = Declaration(
    "Genre", attributes: [.init("label", .string)],
    relationships: [.init("authors", to: "Author", inverse: "genres", isToMany: true)])
  private static let all = [author, book, novel, genre]

  /// Returns the first difference between a store of one model and another model.
  private func difference(_ first: [Declaration] = Self.all, _ second: [Declaration]) throws -> String? {
    try comparison(first, second).firstDifference
  }

  private func comparison(
    _ first: [Declaration], _ second: [Declaration], versions: [String: [Declaration]] = [:]
  ) throws -> StoreModelComparison {
    let path = "\(folder.path)/\(UUID().uuidString).sqlite"
    let store = try SQLiteStore(
      LiveMachine(ledger: .init()), model: ManagedObjectModel(first),
      configuration: SQLiteStoreConfiguration(path: path))
    try store.close()
    let contents = try InspectedStore(path, copyingInto: folder.path).contents
    return StoreModelComparison(contents, with: ManagedObjectModel(second), versions: versions.keys.sorted()) { name in
      versions[name].map { ManagedObjectModel($0) }
    }
  }

  @Test func `the version that a store fits is named if it does not fit the one that was chosen`() throws {
    let later = Self.all + [Declaration("Shelf", attributes: [])]
    let versions = ["2 later": later, "3 first": Self.all]
    #expect(try comparison(Self.all, later, versions: versions).fittingVersion == "3 first")
    #expect(try comparison(Self.all, later, versions: versions).sentence.contains("It fits the version 3 first, which"))
    #expect(try comparison(Self.all, Self.all, versions: versions).fittingVersion == nil)
    #expect(try comparison(later, Self.all, versions: ["3 first": Self.all]).fittingVersion == nil)
  }

  @Test func `a store belongs to the model that made it`() throws {
    let comparison = try comparison(Self.all, Self.all)
    #expect(comparison.firstDifference == nil)
    #expect(comparison.comparesHashes)
    #expect(comparison.sentence.hasPrefix("The store belongs to this version"))
  }

  @Test func `the order of declarations does not matter`() throws {
    #expect(try difference(Self.all, Self.all.reversed()) == nil)
  }

  @Test func `an entity of one side is named`() throws {
    let further = Declaration("Shelf", attributes: [.init("place", .string)])
    #expect(
      try difference(Self.all, Self.all + [further])
        == "the model has an entity Shelf, which the store does not have")
    #expect(
      try difference(Self.all + [further], Self.all)
        == "the store has an entity Shelf, which the model does not have")
    let renamed = Declaration("Rack", attributes: [.init("place", .string)])
    #expect(
      try difference(Self.all + [further], Self.all + [renamed])
        == "the model has an entity Rack, which the store does not have; the store has an entity Shelf, which the model "
        + "does not have")
  }

  @Test func `another superentity is named`() throws {
    let apart = Declaration("Novel", attributes: [])
    #expect(
      try difference(Self.all, [Self.author, Self.book, apart, Self.genre])
        == "entity Novel inherits from none in the model and from Book in the store")
  }

  @Test func `an attribute of one side is named`() throws {
    var book = Self.book
    book.attributes.append(.init("year", .integer16))
    let other = [Self.author, book, Self.novel, Self.genre]
    #expect(
      try difference(Self.all, other)
        == "attribute Book.year of the model needs the column ZYEAR of type INTEGER, which the store's table ZBOOK does "
        + "not have")
    #expect(
      try difference(other, Self.all)
        == "the store's table ZBOOK has a column ZYEAR of type INTEGER, for which entity Book of the model and its "
        + "subentities have no property")
  }

  @Test func `another type of an attribute is named`() throws {
    var book = Self.book
    book.attributes[1] = .init("pages", .double)
    #expect(
      try difference(Self.all, [Self.author, book, Self.novel, Self.genre])
        == "attribute Book.pages needs the column ZPAGES of type FLOAT in the model; in the store's table ZBOOK it has "
        + "the type INTEGER")
  }

  @Test(arguments: [
    AttributeDescription("pages", .integer64), AttributeDescription("pages", .integer32, isOptional: false),
  ])
  func `a difference without a column is found by the hash`(attribute: AttributeDescription) throws {
    var book = Self.book
    book.attributes[1] = attribute
    let difference = try difference(Self.all, [Self.author, book, Self.novel, Self.genre])
    #expect(difference?.hasPrefix("entity Book has the version hash ") == true)
  }

  @Test func `a transient attribute is no difference`() throws {
    var book = Self.book
    book.attributes.append(.init("shown", .string, isTransient: true))
    #expect(try difference(Self.all, [Self.author, book, Self.novel, Self.genre]) == nil)
  }

  @Test func `an order and a uniqueness constraint of one side are named`() throws {
    var author = Self.author
    author.relationships[0] = .init("books", to: "Book", inverse: "author", isToMany: true)
    let unordered = [author, Self.book, Self.novel, Self.genre]
    #expect(
      try difference(unordered, Self.all)
        == "the inverse of relationship Book.author is ordered in the model, which needs the column Z_FOK_AUTHOR; the "
        + "store's table ZBOOK does not have it")
    #expect(try difference(Self.all, unordered)?.contains("has a column Z_FOK_AUTHOR") == true)
    author = Self.author
    author.uniquenessConstraints = []
    let repeated = [author, Self.book, Self.novel, Self.genre]
    #expect(
      try difference(repeated, Self.all)
        == "entity Author is unique by name in the model, and the store's table ZAUTHOR has no unique index for that")
    #expect(try difference(Self.all, repeated)?.contains("has a unique index over ZNAME") == true)
  }

  @Test func `a relationship to an entity with subentities needs a column for the entity`() throws {
    let owner = Declaration(
      "Owner", attributes: [], relationships: [.init("book", to: "Book", inverse: "owners")])
    var book = Self.book
    book.relationships.append(.init("owners", to: "Owner", inverse: "book", isToMany: true))
    // The key alone identifies an object of an entity without subentities.
    let plain = [Self.author, book, Declaration("Novel", attributes: []), Self.genre, owner]
    let shared = [Self.author, book, Self.novel, Self.genre, owner]
    #expect(try difference(shared, shared) == nil)
    #expect(try difference(plain, plain) == nil)
    #expect(try difference(plain, shared)?.contains("inherits from Book in the model") == true)
  }

  @Test func `a many-to-many relationship of one side is named`() throws {
    var author = Self.author
    author.relationships.removeLast()
    let genre = Declaration("Genre", attributes: [.init("label", .string)])
    let apart = [author, Self.book, Self.novel, genre]
    #expect(try difference(apart, Self.all)?.hasPrefix("relationship Author.genres is many-to-many") == true)
    #expect(
      try difference(Self.all, apart)?.hasSuffix("for which the model has no entity and no relationship") == true)
    author = Self.author
    author.relationships[1] = .init("genres", to: "Genre", inverse: "authors", isToMany: true, isOrdered: true)
    #expect(
      try difference(Self.all, [author, Self.book, Self.novel, Self.genre])?
        .hasPrefix("relationship Author.genres and its inverse have 1 orders in the model") == true)
  }

  @Test func `entities that Core Data adds for itself are no difference`() throws {
    let path = "\(folder.path)/history.sqlite"
    let model = ManagedObjectModel(Self.all)
    var configuration = SQLiteStoreConfiguration(path: path)
    configuration.tracksHistory = true
    let store = try SQLiteStore(LiveMachine(ledger: .init()), model: model, configuration: configuration)
    try store.close()
    let contents = try InspectedStore(path, copyingInto: folder.path).contents
    #expect(contents.entities.contains { $0.name == "TRANSACTION" })
    #expect(contents.historyTransactionCount == 0)
    #expect(StoreModelComparison(contents, with: model).firstDifference == nil)
  }

  @Test func `a hash that the model declares decides for a store with Core Data's hashes`() throws {
    let file = try CoreDataFile()
    try file.execute(
      "DROP TABLE Z_1KEEPERS; DROP TABLE ZKEEPER; DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 1; DROP INDEX "
        + "Z_Animal_UNIQUE_name")
    let contents = try file.inspect().contents
    func comparison(_ hash: Data?) -> StoreModelComparison {
      let animal = Declaration(
        "Animal", attributes: [.init("legs", .integer16), .init("name", .string)], versionHash: hash)
      return StoreModelComparison(contents, with: ManagedObjectModel([animal]))
    }
    #expect(comparison(nil).firstDifference == nil)
    #expect(!comparison(nil).comparesHashes)
    #expect(comparison(nil).sentence.hasPrefix("The store fits this version"))
    #expect(comparison(Data(repeating: 0xab, count: 32)).firstDifference == nil)
    #expect(comparison(Data(repeating: 0xab, count: 32)).comparesHashes)
    #expect(comparison(Data(repeating: 0xcd, count: 32)).firstDifference?.hasPrefix("entity Animal has") == true)
  }
}
