import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence

/// A value transformer for colours, which are words here.
struct ColourTransformer: ContextEngine.ValueTransformer {
  let name = "colour"

  func transformedValue(_ value: any Hashable & Sendable) -> Data? { (value as? String).map { Data($0.utf8) } }

  func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)? { String(decoding: data, as: UTF8.self) }
}

/// The model of a shelf: books with attributes of every special kind.
enum Shelf {
  static let model = ManagedObjectModel(
    [
      .init(
        "Book",
        attributes: [
          .init("title", .string, isOptional: false, validation: ValidationRules(minimumLength: 2)),
          .init("rating", .integer16, defaultValue: .integer(0)),
          .init("initial", .string, derivationExpression: "lowercase:(title)"),
          .init("cover", .binary, allowsExternalBinaryDataStorage: true),
          .init("colour", .transformable, valueTransformer: ColourTransformer()),
        ],
        uniquenessConstraints: [["title"]])
    ],
    configurations: ["Cloud": ["Book"]])
  static let book = model.entity("Book")
  static let title = book.path("title")
  static let rating = book.path("rating")
}

/// A folder that is removed with the last reference to it.
final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("shelf-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}

/// A coordinator over an SQLite store with history.
struct Stack {
  let folder: Folder
  let machine = LiveMachine(ledger: WorkLedger())
  let store: SQLiteStore
  let coordinator: PersistentStoreCoordinator

  init() throws {
    folder = try Folder()
    var configuration = SQLiteStoreConfiguration(path: folder.url.appendingPathComponent("shelf.sqlite").path)
    configuration.tracksHistory = true
    configuration.historyIdentity = HistoryIdentity(bundleIdentifier: "org.example.shelf", processIdentifier: "app")
    configuration.externalDataLimit = 10
    store = try SQLiteStore(machine, model: Shelf.model, configuration: configuration)
    coordinator = PersistentStoreCoordinator(machine: machine, sqliteStore: store)
  }

  func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(.privateQueue, coordinator: coordinator, name: name)
  }
}

extension ManagedObjectContext {
  /// Makes a book; on the context's queue.
  @discardableResult
  func insertBook(_ title: String) -> ManagedObject {
    let book = insert(Shelf.book)
    book.setString(title, at: Shelf.title)
    return book
  }

  /// Returns the titles of all books, sorted; on the context's queue.
  func titles() throws -> [String] {
    try fetch(FetchRequest(Shelf.book, sortDescriptors: [FetchSortDescriptor(Shelf.title)])).map {
      $0.string(at: Shelf.title) ?? ""
    }
  }
}
