import Foundation
import TestSupport
import Testing

@Suite struct ProcessLimitsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(after limit: String) async throws -> Program.Outcome {
    let arguments = [
      "run", "--machine", "simulated", "--draws", "0", "--topology", "all-main", "--rows", "50", "--existing-rows", "0",
      "--quiet", "--output", "\(folder.path)/results",
    ]
    return try await Program.run(
      .path("/bin/sh"), ["-c", "\(limit) && exec \"$@\"", "sh", Program.path] + arguments)
  }

  @Test(arguments: [
    ("ulimit -n 5", "open files"), ("ulimit -n 15", "open files"), ("ulimit -n 20", "open files"),
    ("ulimit -v 500000", "512 MB of addresses"),
  ])
  func `a resource limit that is too low prints one line with status 1`(limit: String, words: String) async throws {
    let outcome = try await run(after: limit)
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 1)
    let line = outcome.errors.first ?? ""
    #expect(line.hasPrefix("error: this process may ") && line.contains(words), "\(line)")
    #expect(line.contains(limit.prefix(9)), "\(line)")
    #expect(folder.contents(of: "results") == nil)
  }

  @Test func `a soft limit of open files is raised`() async throws {
    let outcome = try await run(after: "ulimit -S -n 20")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
