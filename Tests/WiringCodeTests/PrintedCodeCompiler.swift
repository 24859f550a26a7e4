import Foundation
import Testing

/// The compiler with declarations of Apple's frameworks, in a folder for the files of a test.
struct PrintedCodeCompiler {
  private let scratch: ScratchFolder
  var folder: URL { scratch.url }

  init() throws {
    scratch = try ScratchFolder()
  }

  /// The settings of a project.
  enum Dialect: CaseIterable, Sendable {
    case six
    /// The settings of a new project in Xcode 26: the main actor by default, nonisolated functions on the caller's
    /// actor.
    case approachable

    var flags: [String] {
      switch self {
      case .six: ["-swift-version", "6"]
      case .approachable:
        [
          "-swift-version", "6", "-default-isolation", "MainActor", "-enable-upcoming-feature",
          "NonisolatedNonsendingByDefault",
        ]
      }
    }
  }

  /// Compiles the declarations into modules in the folder of the test. Strict ones require Sendable blocks. A program
  /// needs libraries too.
  func makeFrameworks(strict: Bool, forRunning: Bool = false) async throws {
    for name in ["CoreData", "CryptoKit", "os"] {
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("CoreDataStub/\(name).swift").path
      let outcome = try await SwiftCompiler.run(
        ["-swift-version", "6", "-parse-as-library"] + (strict ? ["-D", "SENDABLE_BLOCKS"] : [])
          + (forRunning ? ["-emit-library", "-o", "\(folder.path)/lib\(name).so"] : [])
          + ["-emit-module", "-module-name", name, "-emit-module-path", "\(folder.path)/\(name).swiftmodule", source])
      #expect(outcome.isSuccess, "\(outcome.errors)")
    }
  }

  /// Compiles files as one module as far as to the checks for data races, which a type check leaves out.
  func compile(_ files: [String], _ dialect: Dialect) async throws -> SwiftCompiler.Outcome {
    try await SwiftCompiler.run(
      dialect.flags + [
        "-parse-as-library", "-warnings-as-errors", "-wmo", "-emit-sil", "-o", "/dev/null", "-module-name", "App",
        "-I", folder.path,
      ] + files)
  }

  /// Compiles files to a program, and returns what the program prints.
  func run(_ files: [String]) async throws -> String {
    let program = folder.appendingPathComponent("program").path
    let outcome = try await SwiftCompiler.run(
      Dialect.six.flags + [
        "-parse-as-library", "-module-name", "App", "-I", folder.path, "-L", folder.path, "-lCoreData", "-lCryptoKit",
        "-los", "-Xlinker", "-rpath", "-Xlinker", folder.path, "-o", program,
      ] + files)
    #expect(outcome.isSuccess, "\(outcome.errors.prefix(20))")
    return try await SwiftCompiler.output(of: program)
  }

  func write(_ text: String, to name: String) throws -> String {
    let file = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
