import Foundation
import Glibc
import Subprocess
import Testing

/// File systems that are visible to one command only, and that disappear when the command ends.
enum Mounts {
  /// True if this user may mount file systems in a separate name space.
  static let areAllowed = isAllowed("mount -t tmpfs none /mnt")
  /// True if this user may also mount a file with a file system in it.
  static let allowLoops = isAllowed(
    "f=$(mktemp) && head -c 1000000 /dev/zero > $f && mkfs.ext4 -q $f && mount -o loop $f /mnt && rm $f")

  private static func isAllowed(_ script: String) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "unshare -m sh -c '\(script)' >/dev/null 2>&1"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Runs a shell script that may mount file systems. The arguments are in `$@`.
  static func run(_ script: String, _ arguments: [String]) async throws -> Program.Outcome {
    try await Program.run(.name("unshare"), ["-m", "sh", "-c", script, "sh"] + arguments)
  }
}
