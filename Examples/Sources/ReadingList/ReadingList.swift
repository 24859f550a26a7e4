import ContextEngine
import Foundation
import MachineCore
import MachineLive
import PredicateFormats
import SQLitePersistence

/// A reading list in an SQLite file: two contexts above one another, a second context that changes the same book, a
/// fetched results controller, persistent history, undo and a second store.
@main
struct ReadingList {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reading-list-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    // The stack: a machine supplies threads, a store the rows, a coordinator the row cache and the locks.
    let list = ReadingListModel()
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    var configuration = SQLiteStoreConfiguration(path: folder.appendingPathComponent("list.sqlite").path)
    configuration.tracksHistory = true
    let store = try SQLiteStore(machine, model: list.model, configuration: configuration)
    let coordinator = PersistentStoreCoordinator(machine: machine, sqliteStore: store)

    // A context on the store shows the list; a child of it is a scratch pad for editing.
    let shown = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "list")
    shown.transactionAuthor = "app"
    let editor = ManagedObjectContext(.privateQueue, parent: shown, name: "editor")

    // The controller sorts by rating, best first, and its delegate prints every change.
    let printer = ListPrinter(title: list.title)
    let controller = try shown.performAndWait {
      let controller = FetchedResultsController(fetchRequest: list.byRating, managedObjectContext: shown)
      controller.delegate = printer
      try controller.performFetch()
      return controller
    }

    // A save of the child saves to its parent only: the list shows the books, and the store does not have them yet.
    print("The editor saves two books.")
    try editor.performAndWait {
      let author = editor.insert(list.author)
      author.setString("Jane Austen", at: list.name)
      for (title, rating) in [("Emma", 4), ("Persuasion", 5)] {
        let book = editor.insert(list.book)
        book.setString(title, at: list.title)
        book.setInteger(Int64(rating), at: list.rating)
        book.relate(author, at: list.bookAuthor)
      }
      try editor.save()
    }
    try shown.performAndWait { try shown.save() }

    try rateTwice(list, shown, coordinator)
    try mergeHistory(into: shown)
    try deleteByMistake(list, in: shown)

    shown.performAndWait {
      let titles = (controller.fetchedObjects.map { Array($0) } ?? []).map { $0.string(at: list.title) ?? "?" }
      print("The list is \(titles.joined(separator: ", ")).")
    }
    try printSections(list, in: shown)
    try printAuthors(list, in: shown)
    try countGoodBooks(list, in: shown)
    try keepDraft(list, in: shown, coordinator, machine: machine)
    try store.close()
  }

  /// Changes one book in two contexts that have read the same version, so that the second save meets a conflict.
  private static func rateTwice(
    _ list: ReadingListModel, _ shown: ManagedObjectContext, _ coordinator: PersistentStoreCoordinator
  ) throws {
    let sync = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "sync")
    sync.transactionAuthor = "server"
    // If both have changed a property, the value of the context that saves last is written.
    sync.mergePolicy = .objectTrump
    let isEmma = try FetchPredicate(format: "title == %@", "Emma", for: list.book, in: list.model)
    let request = FetchRequest(list.book, predicate: isEmma)
    let emma = try sync.performAndWait { () throws -> ManagedObject? in
      let emma = try sync.fetch(request).first
      emma?.setInteger(6, at: list.rating)
      return emma
    }
    print("The user changes the rating of Emma, and the server does too.")
    try shown.performAndWait {
      try shown.fetch(request).first?.setInteger(3, at: list.rating)
      try shown.save()
    }
    try sync.performAndWait {
      try sync.save()
      print("The server's save wrote the rating \(emma?.integer(at: list.rating) ?? 0).")
    }
  }

  /// Prints the store's history and takes what the server has changed into a context.
  private static func mergeHistory(into context: ManagedObjectContext) throws {
    let transactions = try context.performAndWait {
      try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil)).transactions
    }
    for transaction in transactions {
      print("history: author \(transaction.author ?? "none"), changed objects: \(transaction.changes?.count ?? 0)")
    }
    for transaction in transactions where transaction.author == "server" {
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: transaction.objectIDNotification(), into: [context])
    }
  }
}
