import Foundation
import Glibc

/// The file system that a folder lies on.
struct FileSystem: Codable, Hashable, Sendable {
  /// Its type, as `mount` names it.
  var name: String

  /// Whether files live in memory: then nothing there is ever durable, and a commit costs next to nothing.
  var isInMemory: Bool { ["tmpfs", "ramfs", "devtmpfs"].contains(name) }

  /// - Throws: `CommandFailure` when the folder is not there, or the system does not tell.
  init(of folder: String) throws {
    guard let real = realpath(folder, nil) else {
      throw CommandFailure.usage("\(folder): cannot be looked at: \(String(cString: strerror(errno)))")
    }
    defer { free(real) }
    let mounts = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
    self.init(of: String(cString: real), mounts: String(decoding: mounts, as: UTF8.self))
  }

  /// - Parameters:
  ///   - path: absolute and without symbolic links.
  ///   - mounts: what `/proc/self/mountinfo` says; of two mounts at one place the later hides the earlier.
  init(of path: String, mounts: String) {
    var best = (length: -1, name: "unknown")
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 4, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.endIndex else { continue }
      let point = FileSystem.unescaped(fields[4])
      let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
      if isAbove, point.utf8.count >= best.length {
        best = (point.utf8.count, String(fields[dash + 1]))
      }
    }
    name = best.name
  }

  /// Blanks and backslashes in a mount point are three octal digits.
  private static func unescaped(_ field: Substring) -> String {
    ["\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"].reduce(String(field)) { text, escape in
      text.replacingOccurrences(of: escape.key, with: escape.value)
    }
  }
}
