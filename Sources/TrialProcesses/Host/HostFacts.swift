import CLinux
import CSQLite
import Foundation

/// The computer on which a result was measured, and the build that measured it.
package struct HostFacts: Hashable, Sendable {
  package var processor: String
  /// The number of cores that this process may use.
  package var cores: Int
  package var kernel: String
  package var swift: String
  package var sqlite: String
  /// `release` or `debug`: only a release build is worth comparing.
  package var configuration: String

  /// The facts of this machine and this build.
  package static var current: HostFacts {
    HostFacts(
      processor: field("model name", of: "/proc/cpuinfo", separator: ":") ?? "unknown",
      cores: ProcessInfo.processInfo.activeProcessorCount,
      kernel: text(of: "/proc/sys/kernel/osrelease") ?? "unknown",
      swift: swiftVersion, sqlite: String(cString: sqlite3_libversion()), configuration: buildConfiguration)
  }

  private static var buildConfiguration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  /// The compiler's version, which it leaves in what it builds; else the standard library's, which may be less exact.
  private static var swiftVersion: String {
    let library = "\(_SwiftStdlibVersion.current)"
    guard let program = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"), options: .alwaysMapped) else {
      return library
    }
    return program.withUnsafeBytes { version(in: $0) } ?? library
  }

  /// Returns the number behind the first `Swift version ` that has one.
  ///
  /// The program is tens of megabytes, which `memmem` searches many times faster than `Data` does.
  private static func version(in program: UnsafeRawBufferPointer) -> String? {
    let opening = Array("Swift version ".utf8)
    guard let start = program.baseAddress else { return nil }
    var place = 0
    while let found = memmem(start + place, program.count - place, opening, opening.count) {
      place = start.distance(to: UnsafeRawPointer(found)) + opening.count
      let version = program[place...].prefix(16).prefix { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
      if !version.isEmpty { return String(decoding: version, as: UTF8.self) }
    }
    return nil
  }

  private static func text(of path: String) -> String? {
    FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// The value of the first line that begins with `name`.
  private static func field(_ name: String, of path: String, separator: Character) -> String? {
    guard let line = text(of: path)?.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let split = line.firstIndex(of: separator)
    else { return nil }
    return line[line.index(after: split)...].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
  }
}
