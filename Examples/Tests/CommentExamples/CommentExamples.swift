import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence
import Testing

/// The names that examples in documentation comments may use without declaring them.
///
/// `.ci/comment-examples` writes the examples into an extension of this suite, each as a test.
@Suite struct CommentExamples {
  private let folder: Folder
  /// The path of a file that does not exist yet.
  var path: String { folder.url.appendingPathComponent("new.sqlite").path }
  let model = ManagedObjectModel([
    .init(
      "Author", attributes: [.init("name", .string)],
      relationships: [.init("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)]),
    .init(
      "Book", attributes: [.init("title", .string, isOptional: false), .init("rating", .integer16)],
      relationships: [.init("author", to: "Author", inverse: "books")]),
  ])
  let machine = LiveMachine(ledger: WorkLedger())
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext
  let delegate = Delegate()

  /// Creates a store that keeps history, with one book.
  init() throws {
    folder = try Folder()
    var configuration = SQLiteStoreConfiguration(path: folder.url.appendingPathComponent("books.sqlite").path)
    configuration.tracksHistory = true
    let store = try SQLiteStore(machine, model: model, configuration: configuration)
    coordinator = PersistentStoreCoordinator(machine: machine, sqliteStore: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
    let entity = model.entity("Book")
    try context.performAndWait {
      let book = context.insert(entity)
      book["title"] = .string("Persuasion")
      book["rating"] = .integer(5)
      try context.save()
    }
    self.context = context
  }
}

final class Delegate: FetchedResultsControllerDelegate {}

/// A folder that is removed with the last reference to it.
final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("comments-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
