import Foundation
import Glibc
import Subprocess
import Testing

/// The Swift compiler on the search path of the process that runs the tests.
enum SwiftCompiler {
  static let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    access("\($0)/swiftc", X_OK) == 0
  }

  struct Outcome: Sendable {
    /// Indicates whether the compiler ended with status 0.
    var isSuccess: Bool
    /// The lines on standard error.
    var errors: [String]
  }

  /// Runs the compiler to its end.
  static func run(_ arguments: [String]) async throws -> Outcome {
    let result = try await Subprocess.run(
      .name("swiftc"), arguments: Arguments(arguments), output: .discarded, error: .string(limit: 1_000_000))
    return Outcome(
      isSuccess: result.terminationStatus.isSuccess,
      errors: result.standardError.split(separator: "\n").map(String.init))
  }
}

extension SwiftCompiler {
  /// Runs a program without arguments, and returns what it prints.
  static func output(of program: String) async throws -> String {
    let result = try await Subprocess.run(
      .path(.init(program)), output: .string(limit: 10_000_000), error: .string(limit: 1_000_000))
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    return result.standardOutput
  }
}

/// An empty folder that is removed with the last reference to it.
final class ScratchFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "wiring-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
