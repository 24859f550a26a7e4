import Foundation
import MachineCore

/// An empty folder on a real file system, which is removed with the last reference to it.
///
/// It lies below the build folder: `/tmp` lies in memory on many machines.
package final class TemporaryFolder: Sendable {
  package let url: URL
  /// True if another process removes the folder, as the parent of this one does.
  private let isBorrowed: Bool
  private let attachment = Guarded<(any Sendable)?>(nil)

  package var path: String { url.path }

  package init() throws {
    url = ScratchFolder.url.appendingPathComponent(UUID().uuidString)
    isBorrowed = false
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Creates an object for a folder that is there and that another process removes.
  package init(borrowing url: URL) {
    self.url = url
    isBorrowed = true
  }

  deinit {
    if !isBorrowed { try? FileManager.default.removeItem(at: url) }
  }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// Writes a script that can be executed and returns its path.
  ///
  /// Another process writes it. A file cannot be executed while it is open for writing, and each program that a
  /// concurrent test starts would for a moment inherit a descriptor of this process.
  package func writeProgram(_ script: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    guard let pipe = popen("cat >'\(file)' && chmod 755 '\(file)'", "we") else { throw POSIXError(.EIO) }
    fputs(script, pipe)
    guard pclose(pipe) == 0 else { throw POSIXError(.EIO) }
    return file
  }

  /// Returns the names in the folder called `name`, hidden files included, or nil if the folder does not exist.
  package func contents(of name: String) -> [String]? {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)"))?.sorted()
  }

  /// Returns the object that is kept as long as the folder. `make` creates it at the first call.
  package func attached<Object: Sendable>(_ make: () -> Object) -> Object {
    attachment.withLock { attachment in
      if let object = attachment as? Object { return object }
      let object = make()
      attachment = object
      return object
    }
  }
}

/// The folder of everything that this process and the test processes that it starts write. It is removed when the
/// process ends.
///
/// A process that ends with a trap does not release its objects, so its folders stay until then. The files of a killed
/// run are removed at the beginning of the next run.
package enum ScratchFolder {
  package static let url = make()

  private static func make() -> URL {
    let files = FileManager.default
    let program = executable(of: getpid()).map { URL(fileURLWithPath: $0) }
    let all = (program?.deletingLastPathComponent() ?? files.temporaryDirectory).appendingPathComponent("test-folders")
    let folder = { (process: pid_t) in all.appendingPathComponent("\(process)") }
    // A process that a test starts runs what its parent does, and leaves the folder to the parent.
    let parent = getppid()
    if executable(of: parent) == program?.path { return folder(parent) }
    for name in (try? files.contentsOfDirectory(atPath: all.path)) ?? [] {
      guard let process = pid_t(name), kill(process, 0) != 0, errno == ESRCH else { continue }
      try? files.removeItem(at: folder(process))
    }
    atexit { try? FileManager.default.removeItem(at: ScratchFolder.url) }
    return folder(getpid())
  }

  private static func executable(of process: pid_t) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
  }
}
