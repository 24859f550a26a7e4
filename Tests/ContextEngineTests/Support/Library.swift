import ContextEngine

/// The model of the tests: every type of attribute, one-to-many and one-to-one, both delete rules.
enum Library {
  static let model = ManagedObjectModel([
    .init(
      "Author",
      attributes: [
        .init("name", .string, isOptional: false, defaultValue: .string("Anonymous")),
        .init("born", .integer64),
      ],
      relationships: [
        .init("books", to: "Book", inverse: "author", isToMany: true),
        .init("passport", to: "Passport", inverse: "author", deleteRule: .cascade),
      ]),
    .init(
      "Book",
      attributes: [
        .init("title", .string),
        .init("year", .integer64),
        .init("price", .double),
        .init("isRead", .boolean, defaultValue: .boolean(false)),
        .init("addedAt", .date),
        .init("note", .string),
      ],
      relationships: [
        .init("author", to: "Author", inverse: "books"),
        .init("chapters", to: "Chapter", inverse: "book", isToMany: true, deleteRule: .cascade),
      ]),
    .init(
      "Chapter",
      attributes: [
        .init("title", .string, isOptional: false),
        .init("number", .integer64, isOptional: false, defaultValue: .integer(1)),
      ],
      relationships: [.init("book", to: "Book", inverse: "chapters")]),
    .init(
      "Passport", attributes: [.init("number", .string)],
      relationships: [.init("author", to: "Author", inverse: "passport")]),
  ])
}

enum Author {
  static let entity = Library.model.entity("Author")
  static let name = entity.path("name")
  static let born = entity.path("born")
  static let books = entity.path("books")
  static let passport = entity.path("passport")
}

enum Book {
  static let entity = Library.model.entity("Book")
  static let title = entity.path("title")
  static let year = entity.path("year")
  static let price = entity.path("price")
  static let isRead = entity.path("isRead")
  static let addedAt = entity.path("addedAt")
  static let note = entity.path("note")
  static let author = entity.path("author")
  static let chapters = entity.path("chapters")
}

enum Chapter {
  static let entity = Library.model.entity("Chapter")
  static let title = entity.path("title")
  static let number = entity.path("number")
  static let book = entity.path("book")
}

enum Passport {
  static let entity = Library.model.entity("Passport")
  static let number = entity.path("number")
  static let author = entity.path("author")
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Creates a string value.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer value.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension ManagedObjectContext {
  /// A new book.
  @discardableResult
  func insertBook(_ title: String, year: Int64? = nil, author: ManagedObject? = nil) -> ManagedObject {
    let book = insert(Book.entity)
    book[Book.title] = .string(title)
    if let year { book[Book.year] = .integer(year) }
    if let author { book.relate(author, at: Book.author) }
    return book
  }

  @discardableResult
  func insertAuthor(_ name: String) -> ManagedObject {
    let author = insert(Author.entity)
    author[Author.name] = .string(name)
    return author
  }

  @discardableResult
  func insertChapter(_ title: String, of book: ManagedObject) -> ManagedObject {
    let chapter = insert(Chapter.entity)
    chapter[Chapter.title] = .string(title)
    chapter.relate(book, at: Chapter.book)
    return chapter
  }

  /// All books that match, sorted by title and then year.
  func books(where predicate: FetchPredicate? = nil) throws(PersistenceError) -> [ManagedObject] {
    Array(try fetch(.books(where: predicate)))
  }

  /// The titles of all books, sorted.
  func titles() throws(PersistenceError) -> [String] {
    try books().map(\.title)
  }

  /// The only book of a title; nil if there is none.
  func book(_ title: String) throws(PersistenceError) -> ManagedObject? {
    try books(where: .equal(Book.title, .string(title))).first
  }
}

extension FetchRequest {
  static func books(where predicate: FetchPredicate? = nil) -> FetchRequest {
    FetchRequest(
      Book.entity, predicate: predicate,
      sortDescriptors: [FetchSortDescriptor(Book.title), FetchSortDescriptor(Book.year)])
  }
}

extension ManagedObject {
  var title: String {
    if case .string(let title) = self[Book.title] { title } else { "" }
  }
}

extension ObjectID {
  /// The name of the object's entity in the tests' model.
  var entityName: String { Library.model.entities[Int(entity)].name }
}
