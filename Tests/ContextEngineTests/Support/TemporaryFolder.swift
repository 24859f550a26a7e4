import ContextEngine
import Foundation
import MachineCore

/// A folder that goes with the last reference to it.
final class TemporaryFolder: Sendable {
  let url: URL
  /// Whether the folder is another's to remove, as that of a parent process is.
  private let isBorrowed: Bool
  var storePath: String { url.appendingPathComponent("library.sqlite").path }

  private let store = Guarded<InMemoryStore?>(nil)

  /// The store in memory that stands for the one in the folder.
  func inMemoryStore(_ make: () -> InMemoryStore) -> InMemoryStore {
    store.withLock { store in
      let made = store ?? make()
      store = made
      return made
    }
  }

  init() throws {
    url = ScratchFolder.url.appendingPathComponent(UUID().uuidString)
    isBorrowed = false
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  init(borrowing url: URL) {
    self.url = url
    isBorrowed = true
  }

  deinit {
    if !isBorrowed { try? FileManager.default.removeItem(at: url) }
  }
}

/// The folder of all that this process, and the test processes that it starts, write: it goes when the process ends.
///
/// What a process has written that a trap ends would stay otherwise, as nothing of it is released. What a killed run has left
/// goes at the beginning of the next.
enum ScratchFolder {
  static let url = make()
  private static let prefix = "engine-tests-"

  private static func make() -> URL {
    let parent = getppid()
    let files = FileManager.default
    let folder = { (process: pid_t) in files.temporaryDirectory.appendingPathComponent("\(prefix)\(process)") }
    // A process that a test starts runs what its parent does, and leaves the folder to it.
    if executable(of: parent) == executable(of: getpid()) { return folder(parent) }
    for name in (try? files.contentsOfDirectory(atPath: files.temporaryDirectory.path)) ?? [] {
      guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count)) else { continue }
      if kill(process, 0) != 0, errno == ESRCH { try? files.removeItem(at: folder(process)) }
    }
    atexit { try? FileManager.default.removeItem(at: ScratchFolder.url) }
    return folder(getpid())
  }

  private static func executable(of process: pid_t) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
  }
}
