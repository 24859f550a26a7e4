import Foundation
import Glibc
import Testing
import Topologies

@testable import stackbench

/// Printed wirings under the compiler, against the declarations of Core Data that they use.
@Suite(
  .enabled(if: SwiftCompiler.isThere, "no swiftc on the PATH: printed wirings are not compiled"), .serialized)
struct WiringCodeCompilerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Sets of flags that each change the code of every stack.
  private static let everywhere = [
    "--lookup record --merge-policy error --decode import --fetch-batch-size 0",
    "--lookup none --mix 100:0:0 --concurrent-imports 3 --properties-to-fetch name,note --decode network",
    "--strategy batch-insert --workload flat --mix 100:0:0 --connection-pool 1 --journal-mode delete --synchronous full",
  ]
  /// Flags that concern stacks with a root.
  private static let rooted = ["every:250", "idle:1.5", "at-end"].map { "--store-save \($0)" }

  /// Compiles the declarations into modules beside the files of the test.
  private func makeFrameworks(_ flags: String...) async throws {
    for name in ["CoreData", "os"] {
      let source = Repository.root.appendingPathComponent("Tests/StackbenchTests/CoreDataStub/\(name).swift").path
      let outcome = try await Program.run(
        .name("swiftc"),
        ["-swift-version", "6", "-parse-as-library"] + flags
          + ["-emit-module", "-module-name", name, "-emit-module-path", "\(folder.path)/\(name).swiftmodule", source])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  /// Compiles files as one module as far as to the checks for data races, which a type check leaves out.
  private func compile(_ files: [String], _ dialect: Dialect) async throws -> Program.Outcome {
    try await Program.run(
      .name("swiftc"),
      dialect.flags + [
        "-parse-as-library", "-warnings-as-errors", "-wmo", "-emit-sil", "-o", "/dev/null", "-module-name", "App",
        "-I", folder.path,
      ] + files)
  }

  private func write(_ words: String, to name: String) throws -> String {
    let arguments = words.split(separator: " ").map(String.init) + ["--format", "swift"]
    return try folder.write(TopologiesCommand.parse(arguments).code(), to: name)
  }

  /// Prints stacks with the same flags and expects that they compile in one module.
  private func check(
    _ topologies: [Topology], _ flags: String, _ dialects: [Dialect], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(!topologies.isEmpty, sourceLocation: sourceLocation)
    let files = try topologies.enumerated().map { try write("\($1.title) \(flags)", to: "stack-\($0).swift") }
    for dialect in dialects {
      let outcome = try await compile(files, dialect)
      #expect(outcome.status == 0, "\(dialect), \(flags): \(outcome.errors.prefix(20))", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [[], ["-D", "SENDABLE_BLOCKS"]])
  func `every stack and variant compiles in Swift 6 mode, with and without signposts`(strict: [String]) async throws {
    if strict.isEmpty { try await makeFrameworks() } else { try await makeFrameworks(strict[0], strict[1]) }
    for flags in ["", "--signposts"] { try await check(Topology.known, flags, [.six, .approachable]) }
  }

  @Test func `so does every flag's code, in each stack that it concerns`() async throws {
    try await makeFrameworks("-D", "SENDABLE_BLOCKS")
    for flags in WiringCodeCompilerTests.everywhere + ["--workload flat", "--workload \(try feed())"] {
      try await check(Topology.known, "\(flags) --signposts", [.approachable])
    }
    for flags in WiringCodeCompilerTests.rooted {
      try await check(Topology.known.filter { $0.savingRoot != nil }, "\(flags) --signposts", [.six, .approachable])
    }
  }

  @Test func `the code of language mode 5 compiles in that mode`() async throws {
    try await makeFrameworks()
    for flags in [""] + WiringCodeCompilerTests.everywhere {
      try await check(Topology.known, "\(flags) --language-mode 5", [.five])
    }
    for flags in WiringCodeCompilerTests.rooted {
      try await check(Topology.known.filter { $0.savingRoot != nil }, "\(flags) --language-mode 5", [.five])
    }
  }

  @Test func `code that the framework does not have is found, and objects that change queues are`() async throws {
    try await makeFrameworks()
    let wrong = [
      ("context.saveEverything()", "saveEverything"),
      ("await context.perform { object.setValue(1, forKey: \"a\") }", "data races"),
    ]
    for (statement, message) in wrong {
      let signature = "@MainActor func f(_ context: NSManagedObjectContext, _ object: NSManagedObject) async"
      let file = try folder.write("import CoreData\n\(signature) { \(statement) }\n", to: "wrong.swift")
      for dialect in [Dialect.six, .approachable] {
        let outcome = try await compile([file], dialect)
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains { $0.contains(message) })
      }
    }
  }

  /// Writes a feed whose members include names that Swift does not have.
  private func feed() throws -> String {
    try folder.write(
      #"[{"id":1,"key":"a","class":"x","my name":2.5,"nested":{"a":1}},{"id":2,"1st":true,"_":0}]"#, to: "feed.json")
  }
}

/// The settings of a project.
private enum Dialect: Sendable {
  case five
  case six
  /// The settings of a new project in Xcode 26: the main actor by default, nonisolated functions on the caller's actor.
  case approachable

  var flags: [String] {
    switch self {
    case .five: ["-swift-version", "5"]
    case .six: ["-swift-version", "6"]
    case .approachable:
      [
        "-swift-version", "6", "-default-isolation", "MainActor", "-enable-upcoming-feature",
        "NonisolatedNonsendingByDefault",
      ]
    }
  }
}

/// The compiler on the path of whoever runs the tests.
private enum SwiftCompiler {
  static let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    access("\($0)/swiftc", X_OK) == 0
  }
}
