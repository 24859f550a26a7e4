import Foundation
import Glibc
import MachineCore

extension WorkloadArchive {
  /// Returns the workload in a folder, which is opened once for all trials of this process, and keeps the values that are
  /// made from it.
  ///
  /// - Throws: `WorkloadError` if the folder does not contain a complete workload.
  package static func shared(opening folder: URL) throws(WorkloadError) -> WorkloadArchive {
    let identity = OpenArchives.Identity(of: folder)
    if let identity, let known = OpenArchives.shared.archive(identity) { return known }
    let archive = try WorkloadArchive(opening: folder, keepsValues: true)
    if let identity { OpenArchives.shared.add(archive, identity: identity) }
    return archive
  }
}

/// The workloads that this process has opened last.
private final class OpenArchives: Sendable {
  static let shared = OpenArchives()

  private let archives = Guarded<[(identity: Identity, archive: WorkloadArchive)]>([])

  /// The largest number of bytes of the payloads of all open workloads but the last one. Decoded, they take several times
  /// as much.
  private static let byteLimit = 16 << 20

  /// A workload's folder and its file, which another file with the same path does not equal.
  struct Identity: Hashable {
    private let path: String
    private let device: UInt
    private let node: UInt
    private let seconds: Int
    private let nanoseconds: Int

    init?(of folder: URL) {
      path = folder.path
      var status = stat()
      guard stat(WorkloadArchive.contentsFile(of: folder).path, &status) == 0 else { return nil }
      device = UInt(status.st_dev)
      node = UInt(status.st_ino)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  func archive(_ identity: Identity) -> WorkloadArchive? {
    archives.withLock { archives in
      guard let place = archives.firstIndex(where: { $0.identity == identity }) else { return nil }
      archives.append(archives.remove(at: place))
      return archives.last?.archive
    }
  }

  func add(_ archive: WorkloadArchive, identity: Identity) {
    archives.withLock { archives in
      while archives.reduce(0, { $0 + $1.archive.payloadByteCount }) > Self.byteLimit { archives.removeFirst() }
      archives.append((identity, archive))
    }
  }
}
