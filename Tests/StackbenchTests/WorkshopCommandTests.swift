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
    // Another process writes the copy. A file that this process writes may be open in a child that a test starts at the
    // same time, and then it cannot run.
    let outcome = try await Program.run(
      .path("/bin/sh"), ["-c", #"cp "$1" "$2" && exec "$2" "$3""#, "sh", Program.path, program, command])
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors == [
        "error: \(program)-workshop: does not exist; it runs this command, and 'make build' builds it"
      ])
  }
}
