import Foundation
import TestSupport
import Testing

/// Tests of `--trace` on the command line.
@Suite struct TraceFileTests {
  private struct File: Decodable {
    struct Event: Decodable {
      struct Arguments: Decodable {
        var name: String?
      }

      var pid: Int
      var name: String?
      var args: Arguments?
    }

    var displayTimeUnit: String
    var traceEvents: [Event]
  }

  @Test(arguments: ["simulated", "live"])
  func `each topology is a process of one file, which an untraced run removes`(machine: String) async throws {
    let folder = try TemporaryFolder()
    func run(_ arguments: String...) async throws {
      let fixed = [
        "run", "--output", "\(folder.path)/results", "--machine", machine, "--rows", "100", "--existing-rows", "50",
        "--quiet",
      ]
      let more = machine == "live" ? ["--idle-seconds", "0", "--warmup", "0"] : ["--draws", "0"]
      let outcome = try await Program.run(fixed + more + arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    try await run("--trace", "--trials", "2", "--topology", "all-main", "--topology", "three-tier")
    let text = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/results/trace.json"))
    let file = try JSONDecoder().decode(File.self, from: text)
    #expect(file.displayTimeUnit == "ms")
    let processes = file.traceEvents.filter { $0.name == "process_name" }.compactMap { $0.args?.name }
    #expect(processes == ["all-main", "three-tier"])
    #expect(Set(file.traceEvents.map(\.pid)).count == 2)
    try await run("--trials", "1", "--topology", "all-main")
    #expect(folder.contents(of: "results")?.contains("trace.json") == false)
  }
}
