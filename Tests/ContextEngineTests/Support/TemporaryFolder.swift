import ContextEngine
import TestSupport

extension TemporaryFolder {
  /// The path of the store in the folder.
  var storePath: String { url.appendingPathComponent("library.sqlite").path }

  /// Returns the store in memory that replaces the file in the folder.
  func inMemoryStore(_ make: () -> InMemoryStore) -> InMemoryStore { attached(make) }
}
