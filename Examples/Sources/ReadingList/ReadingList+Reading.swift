import ContextEngine
import Dispatch
import MachineCore
import PredicateFormats

extension ReadingList {
  /// Prints the list in sections, one for each rating.
  static func printSections(_ list: ReadingListModel, in context: ManagedObjectContext) throws {
    let printer = SectionPrinter()
    try context.performAndWait {
      // The next controller with the same cache name takes over the list if the store has not changed.
      let controller = FetchedResultsController(
        fetchRequest: list.byRating, managedObjectContext: context, sectionNameKeyPath: list.rating,
        cacheName: "ratings")
      controller.delegate = printer
      try controller.performFetch()
    }
  }

  /// Prints the number of each author's books and their mean rating, which the store computes.
  static func printAuthors(_ list: ReadingListModel, in context: ManagedObjectContext) throws {
    let name = PropertyKeyPath(list.bookAuthor, list.name)
    var request = FetchRequest(list.book)
    request.resultType = .dictionaries
    request.propertiesToGroupBy = [name]
    request.expressionsToFetch = [
      ExpressionDescription("author", keyPath: name), .count("books"),
      ExpressionDescription("rating", function: .average, of: list.rating),
    ]
    guard case .dictionaries(let authors) = try context.performAndWait({ try context.execute(request) }) else { return }
    for case (.string(let author)?, .integer(let count)?, .double(let rating)?) in authors.map({
      ($0["author"], $0["books"], $0["rating"])
    }) {
      print("\(author) wrote \(count) books with a mean rating of \(rating).")
    }
  }

  /// Prints the number of good books, which a fetch in the background finds.
  static func countGoodBooks(_ list: ReadingListModel, in context: ManagedObjectContext) throws {
    let isGood = try FetchPredicate(
      format: "rating >= %d AND author.name BEGINSWITH[c] %@", 6, "jane", for: list.book, in: list.model)
    let hasEnded = DispatchSemaphore(value: 0)
    try context.performAndWait {
      _ = try context.execute(
        AsynchronousFetchRequest(FetchRequest(list.book, predicate: isGood)) { result in
          print("good books, by a fetch in the background: \(result.finalResult?.count ?? 0)")
          hasEnded.signal()
        })
    }
    hasEnded.wait()
  }
}

/// A delegate that prints the sections of a list after each change of it.
private final class SectionPrinter: FetchedResultsControllerDelegate {
  let reporting = FetchedResultsReporting.snapshot

  func controller(_ controller: FetchedResultsController, didChangeContentWith snapshot: FetchedResultsSnapshot) {
    let sections = snapshot.sections.map { "rating \($0.identifier): \($0.itemIdentifiers.count)" }
    print("sections: \(sections.joined(separator: ", "))")
  }
}
