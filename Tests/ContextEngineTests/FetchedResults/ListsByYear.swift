import ContextEngine
import TestSupport
import Testing

/// Suites over lists of books in sections by year.
protocol ListsByYear {}

extension ListsByYear {
  /// Returns a stack with two books of 1900, one of 1910 and three of 1920.
  func seeded() throws -> Stack {
    let stack = try Stack()
    try stack.seed { context in
      for (title, year) in [("B", 1900), ("D", 1900), ("A", 1910), ("C", 1920), ("E", 1920), ("G", 1920)] {
        context.insertBook(title, year: Int64(year))
      }
    }
    return stack
  }

  static var byYear: FetchRequest {
    FetchRequest(Book.entity, sortDescriptors: [FetchSortDescriptor(Book.year), FetchSortDescriptor(Book.title)])
  }

  func controller(
    _ context: ManagedObjectContext, _ request: FetchRequest = Self.byYear, cacheName: String? = nil
  ) throws -> FetchedResultsController {
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: Book.year, cacheName: cacheName)
    try controller.performFetch()
    return controller
  }

  func titles(_ controller: FetchedResultsController) -> [[String]] {
    (controller.sections ?? []).map { $0.objects.map(\.title) }
  }
}
