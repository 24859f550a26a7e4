import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// Tests of the commands for which the program starts a second program.
@Suite struct WorkshopCommandTests {
  @Test(arguments: ["calibrate", "validate"])
  func `a command whose program is missing says in one line what builds it`(command: String) async throws {
    let folder = try TemporaryFolder()
    let program = "\(folder.path)/stackbench"
    try FileManager.default.copyItem(atPath: Program.path, toPath: program)
    let outcome = try await Program.run(.path(FilePath(program)), [command])
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors == [
        "error: \(program)-workshop: does not exist; it runs this command, and 'make build' builds it"
      ])
  }
}
