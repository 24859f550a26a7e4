import Foundation

/// An empty folder on a real file system, removed when the test is over.
final class TemporaryFolder {
  let path: String

  init() throws {
    // Below the build folder: `/tmp` lies in memory on many machines.
    path = Repository.root.appendingPathComponent(".build/test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Makes a file and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// What lies in the folder called `name`, hidden files included; nil if it is not there.
  func contents(of name: String) -> [String]? {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)"))?.sorted()
  }
}
