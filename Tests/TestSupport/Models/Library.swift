import ContextEngine

/// The model of most tests of the engine. Its entities are Author, Book, Chapter and Passport, with one-to-many and
/// one-to-one relationships that nullify or cascade.
package enum Library {
  package static let model = ManagedObjectModel([
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

package enum Author {
  package static let entity = Library.model.entity("Author")
  package static let name = entity.path("name")
  package static let born = entity.path("born")
  package static let books = entity.path("books")
  package static let passport = entity.path("passport")
}

package enum Book {
  package static let entity = Library.model.entity("Book")
  package static let title = entity.path("title")
  package static let year = entity.path("year")
  package static let price = entity.path("price")
  package static let isRead = entity.path("isRead")
  package static let addedAt = entity.path("addedAt")
  package static let note = entity.path("note")
  package static let author = entity.path("author")
  package static let chapters = entity.path("chapters")
}

package enum Chapter {
  package static let entity = Library.model.entity("Chapter")
  package static let title = entity.path("title")
  package static let number = entity.path("number")
  package static let book = entity.path("book")
}

package enum Passport {
  package static let entity = Library.model.entity("Passport")
  package static let number = entity.path("number")
  package static let author = entity.path("author")
}

extension ManagedObjectContext {
  /// Inserts a book.
  @discardableResult
  package func insertBook(_ title: String, year: Int64? = nil, author: ManagedObject? = nil) -> ManagedObject {
    let book = insert(Book.entity)
    book[Book.title] = .string(title)
    if let year { book[Book.year] = .integer(year) }
    if let author { book.relate(author, at: Book.author) }
    return book
  }

  @discardableResult
  package func insertAuthor(_ name: String) -> ManagedObject {
    let author = insert(Author.entity)
    author[Author.name] = .string(name)
    return author
  }

  @discardableResult
  package func insertChapter(_ title: String, of book: ManagedObject) -> ManagedObject {
    let chapter = insert(Chapter.entity)
    chapter[Chapter.title] = .string(title)
    chapter.relate(book, at: Chapter.book)
    return chapter
  }

  /// Returns all books that match, sorted by title and then year.
  package func books(where predicate: FetchPredicate? = nil) throws(PersistenceError) -> [ManagedObject] {
    Array(try fetch(.books(where: predicate)))
  }

  /// Returns the titles of all books, sorted.
  package func titles() throws(PersistenceError) -> [String] {
    try books().map(\.title)
  }

  /// Returns the only book of a title, or nil if no book has it.
  package func book(_ title: String) throws(PersistenceError) -> ManagedObject? {
    try books(where: .equal(Book.title, .string(title))).first
  }
}

extension FetchRequest {
  package static func books(where predicate: FetchPredicate? = nil) -> FetchRequest {
    FetchRequest(
      Book.entity, predicate: predicate,
      sortDescriptors: [FetchSortDescriptor(Book.title), FetchSortDescriptor(Book.year)])
  }
}

extension ManagedObject {
  package var title: String {
    if case .string(let title) = self[Book.title] { title } else { "" }
  }
}

extension ObjectID {
  /// The name of the object's entity in the tests' model.
  package var entityName: String { Library.model.entities[Int(entity)].name }
}
