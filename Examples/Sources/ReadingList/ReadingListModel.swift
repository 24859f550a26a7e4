import ContextEngine

/// The model of a reading list: authors and their books.
struct ReadingListModel {
  let model = ManagedObjectModel([
    .init(
      "Author", attributes: [.init("name", .string, isOptional: false)],
      relationships: [.init("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)]),
    .init(
      "Book",
      attributes: [
        .init("title", .string, isOptional: false),
        .init("rating", .integer16, defaultValue: .integer(0)),
      ],
      relationships: [.init("author", to: "Author", inverse: "books")], callbacks: Self.bookCallbacks),
  ])

  /// The callbacks of books, which a subclass of Core Data's managed object would override.
  private static var bookCallbacks: EntityCallbacks {
    var callbacks = EntityCallbacks()
    callbacks.prepareForDeletion = { book in
      print("callback: \(book.string(at: book.entity.path("title")) ?? "?") is about to be deleted")
    }
    return callbacks
  }

  var author: EntityDescription { model.entity("Author") }
  var book: EntityDescription { model.entity("Book") }

  // A path is looked up by name once and used for every object.
  var name: PropertyPath { author.path("name") }
  var title: PropertyPath { book.path("title") }
  var rating: PropertyPath { book.path("rating") }
  var bookAuthor: PropertyPath { book.path("author") }

  /// The books, the best first.
  var byRating: FetchRequest {
    FetchRequest(book, sortDescriptors: [FetchSortDescriptor(rating, isAscending: false), FetchSortDescriptor(title)])
  }
}
