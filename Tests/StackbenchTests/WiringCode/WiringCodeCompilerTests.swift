import Foundation
import Glibc
import Testing
import Topologies

@testable import stackbench

/// Printed wirings under the compiler, against the declarations of Core Data that they use.
@Suite(
  .enabled(if: SwiftCompiler.isThere, "no swiftc on the PATH: printed wirings are not type-checked"), .serialized)
struct WiringCodeCompilerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func compile(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(.name("swiftc"), ["-swift-version", "5", "-parse-as-library"] + arguments)
  }

  /// Compiles the declarations into a module beside the files of the test.
  private func makeFramework() async throws {
    let source = Repository.root.appendingPathComponent("Tests/StackbenchTests/CoreDataStub/CoreData.swift").path
    let outcome = try await compile(
      "-emit-module", "-module-name", "CoreData", "-emit-module-path", "\(folder.path)/CoreData.swiftmodule", source)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func write(_ words: String, to name: String) throws -> String {
    let arguments = words.split(separator: " ").map(String.init) + ["--format", "swift"]
    return try folder.write(TopologiesCommand.parse(arguments).code(), to: name)
  }

  @Test func `every stack and variant type-checks, all of them in one module`() async throws {
    try await makeFramework()
    var arguments = [
      "-swift-version", "5", "-parse-as-library", "-warnings-as-errors", "-typecheck", "-I", folder.path,
    ]
    for (index, topology) in Topology.known.enumerated() {
      arguments.append(try write(topology.title, to: "stack-\(index).swift"))
    }
    let outcome = try await Program.run(.name("swiftc"), arguments)
    #expect(outcome.status == 0, "\(outcome.errors.prefix(20))")
  }

  @Test func `so does every flag's code, in each stack that it concerns`() async throws {
    try await makeFramework()
    let everywhere = [
      "--lookup record --merge-policy error --decode import --fetch-batch-size 0",
      "--lookup none --mix 100:0:0 --concurrent-imports 3 --properties-to-fetch name,note --decode network",
      "--strategy batch-insert --workload flat --mix 100:0:0 --connection-pool 1 --journal-mode delete --synchronous full",
    ]
    let rooted = ["every:250", "idle:1.5", "at-end"].map { "--store-save \($0)" }
    for (number, flags) in (everywhere + rooted).enumerated() {
      let concerned = Topology.known.filter { number < everywhere.count || $0.savingRoot != nil }
      #expect(!concerned.isEmpty)
      var arguments = [
        "-swift-version", "5", "-parse-as-library", "-warnings-as-errors", "-typecheck", "-I", folder.path,
      ]
      for (index, topology) in concerned.enumerated() {
        arguments.append(try write("\(topology.title) \(flags)", to: "stack-\(index).swift"))
      }
      let outcome = try await Program.run(.name("swiftc"), arguments)
      #expect(outcome.status == 0, "\(flags): \(outcome.errors.prefix(20))")
    }
  }

  @Test func `code that the framework does not have is found`() async throws {
    try await makeFramework()
    let wrong = try folder.write(
      "import CoreData\nfunc f(context: NSManagedObjectContext) { context.saveEverything() }\n", to: "wrong.swift")
    let outcome = try await compile("-typecheck", "-I", folder.path, wrong)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains { $0.contains("saveEverything") })
  }
}

/// The compiler of whoever runs the tests.
private enum SwiftCompiler {
  static let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    access("\($0)/swiftc", X_OK) == 0
  }
}
