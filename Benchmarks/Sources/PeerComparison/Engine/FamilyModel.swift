import ContextEngine

/// The model of `Family`: three entities with the attributes of an item. Deleting an object deletes those below it.
enum FamilyModel {
  static let model = ManagedObjectModel([
    .init(
      "Author", attributes: ItemModel.attributes(indexesCode: false),
      relationships: [.init("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)]),
    .init(
      "Book", attributes: ItemModel.attributes(indexesCode: false),
      relationships: [
        .init("author", to: "Author", inverse: "books"),
        .init("chapters", to: "Chapter", inverse: "book", isToMany: true, deleteRule: .cascade),
      ]),
    .init(
      "Chapter", attributes: ItemModel.attributes(indexesCode: false),
      relationships: [.init("book", to: "Book", inverse: "chapters")]),
  ])
  static let authors = ItemPaths(model.entity("Author"))
  static let books = ItemPaths(model.entity("Book"))
  static let chapters = ItemPaths(model.entity("Chapter"))
  static let authorOfBook = books.entity.path("author")
  static let chaptersOfBook = books.entity.path("chapters")
  static let bookOfChapter = chapters.entity.path("book")

  /// Creates a store with all items. A save has nine whole trees.
  static func makeStore(_ path: String, of items: [Item]) throws {
    let stack = try EngineStack(path: path, model: model)
    let context = stack.context("template")
    for unit in items.units(of: Assignment.unitSize / Family.treeSize * Family.treeSize) {
      try context.performAndWait {
        insert(unit, into: context)
        try context.save()
      }
    }
    try stack.close()
  }

  private static func insert(_ items: ArraySlice<Item>, into context: ManagedObjectContext) {
    var author: ManagedObject?
    var books: [Int64: ManagedObject] = [:]
    for (index, item) in zip(items.indices, items) {
      let place = Family(index: index)
      let paths = [authors, self.books, chapters][place.level.rawValue]
      let object = context.insert(paths.entity)
      paths.set(item, on: object)
      switch place.level {
      case .author: author = object
      case .book:
        object.relate(author, at: authorOfBook)
        books[place.key] = object
      case .chapter: object.relate(place.parentKey.flatMap { books[$0] }, at: bookOfChapter)
      }
    }
  }
}
