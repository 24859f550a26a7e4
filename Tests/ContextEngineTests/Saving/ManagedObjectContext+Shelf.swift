import ContextEngine
import TestSupport
import Testing

extension ManagedObjectContext {
  /// Returns the only song of a title.
  func song(_ title: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(Shelf.song, predicate: .equal(Shelf.title, .string(title)))).first)
  }

  /// Returns the only singer of a name.
  func singer(_ name: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(Shelf.singer, predicate: .equal(Shelf.singerNameOfOwn, .string(name)))).first)
  }
}
