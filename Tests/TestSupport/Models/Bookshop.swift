import ContextEngine

/// The model for tests of a SQLite store's rows and files. Its entities are Author and Book.
package enum Bookshop {
  package static let model = ManagedObjectModel([
    .init(
      "Author", attributes: [.init("name", .string)],
      relationships: [.init("books", to: "Book", inverse: "author", isToMany: true)]),
    .init(
      "Book",
      attributes: [
        .init("title", .string), .init("pages", .integer64),
        .init("isLent", .boolean), .init("price", .double),
        .init("printed", .date),
      ],
      relationships: [.init("author", to: "Author", inverse: "books")]),
  ])

  /// Returns a row of a book, whose values are null if they are not given.
  package static func row(
    title: Value = .null, pages: Value = .null, isLent: Value = .null, price: Value = .null, printed: Value = .null,
    author: Value = .null
  ) -> [Value] {
    [title, pages, isLent, price, printed, author]
  }
}
