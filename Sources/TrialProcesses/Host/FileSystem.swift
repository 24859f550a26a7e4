import Foundation
import Glibc

/// The file system that a folder lies on.
package struct FileSystem: Codable, Hashable, Sendable {
  /// The type of the file system, as `mount` names it.
  package var name: String

  /// Indicates whether files are in memory, where they are not durable and a commit costs almost no time.
  var isInMemory: Bool { ["tmpfs", "ramfs", "devtmpfs"].contains(name) }

  /// Finds the file system of a folder. The name is `unknown` if the system does not list it.
  ///
  /// - Throws: `RunFailure` if the folder cannot be read.
  package init(of folder: String) throws {
    guard let real = realpath(folder, nil) else {
      throw RunFailure.usage("\(folder): cannot be inspected: \(String(cString: strerror(errno)))")
    }
    defer { free(real) }
    self.init(of: String(cString: real), mounts: HostFacts.text(of: "/proc/self/mountinfo") ?? "")
  }

  /// Finds the file system of a folder in a list of mounts. A later mount hides an earlier mount at the same place.
  ///
  /// - Parameters:
  ///   - path: An absolute path without symbolic links.
  ///   - mounts: The text of `/proc/self/mountinfo`.
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

  /// Returns a mount point with its escapes replaced. Blanks and backslashes are escaped as three octal digits.
  private static func unescaped(_ field: Substring) -> String {
    ["\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"].reduce(String(field)) { text, escape in
      text.replacingOccurrences(of: escape.key, with: escape.value)
    }
  }
}
