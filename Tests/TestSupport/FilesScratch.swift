import Foundation

/// A temporary folder, with the operations that tests of files need.
package final class FilesScratch {
  private let folder: TemporaryFolder

  package var path: String { folder.path }

  /// True if this process may create device nodes. The tests never use the nodes of the system itself.
  package static let canMakeDevices: Bool = {
    guard let scratch = try? FilesScratch() else { return false }
    return mknod(scratch.path("device"), S_IFCHR | 0o666, FilesScratch.nullDevice) == 0
  }()

  /// The number of the device that takes everything, `/dev/null`.
  package static let nullDevice: dev_t = 1 << 8 | 3

  package init() throws {
    folder = try TemporaryFolder()
  }

  package func path(_ name: String) -> String { "\(path)/\(name)" }

  package func write(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path(name)).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
  }

  package func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  /// Returns the names in a folder, hidden files included, in order.
  package func contents(_ name: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  /// Returns the kind of the file with a name. Links are not followed.
  package func kind(_ name: String) -> mode_t? {
    var status = stat()
    return lstat(path(name), &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
