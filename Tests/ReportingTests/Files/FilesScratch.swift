import Foundation
import TestSupport

/// A temporary folder, with the operations that tests of files need.
final class FilesScratch {
  private let folder: TemporaryFolder

  var path: String { folder.path }

  /// True if this process may create device nodes. The tests never use the nodes of the system itself.
  static let canMakeDevices: Bool = {
    guard let scratch = try? FilesScratch() else { return false }
    return mknod(scratch.path("device"), S_IFCHR | 0o666, FilesScratch.nullDevice) == 0
  }()

  /// The number of the device that takes everything, `/dev/null`.
  static let nullDevice: dev_t = 1 << 8 | 3

  init() throws {
    folder = try TemporaryFolder()
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path(name)).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  /// Returns the names in a folder, hidden files included, in order.
  func contents(_ name: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  /// Returns the kind of the file with a name. Links are not followed.
  func kind(_ name: String) -> mode_t? {
    var status = stat()
    return lstat(path(name), &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
