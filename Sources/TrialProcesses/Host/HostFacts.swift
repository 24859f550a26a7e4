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
  /// The configuration of the build, `release` or `debug`. Compare only results of release builds.
  package var configuration: String

  /// The facts of this computer and this build.
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

  /// The version of the compiler, which the program's file contains. If it is not found, this is the version of the
  /// standard library, which may be less exact.
  private static var swiftVersion: String {
    let library = "\(_SwiftStdlibVersion.current)"
    guard let program = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"), options: .alwaysMapped) else {
      return library
    }
    return program.withUnsafeBytes { version(in: $0) } ?? library
  }

  /// Returns the first number that follows the text `Swift version ` in the program, or nil if there is no such number.
  ///
  /// The program has tens of megabytes, which `memmem` searches many times faster than `Data`.
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

  /// Returns the text of a file in which the system describes the computer or this process, without blanks around it.
  static func text(of path: String) -> String? {
    FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Returns the value in the first line that begins with `name`, without blanks and quotes around it, or nil if there
  /// is no such line.
  private static func field(_ name: String, of path: String, separator: Character) -> String? {
    guard let line = text(of: path)?.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let split = line.firstIndex(of: separator)
    else { return nil }
    return line[line.index(after: split)...].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
  }
}
