import CommandShell
import Foundation
import MachineCore
import Reporting
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of the errors for mistakes on the command line, and of the help that prevents them.
@Suite struct CommandLineTests {
  @Test(arguments: [
    (["foo"], "foo: not a command; use one of run, "),
    (["swep"], "swep: not a command; did you mean sweep? use one of "),
    (["help", "rn"], "rn: not a command; did you mean run? use one of "), (["--help", "foo"], "foo: not a command; "),
    (["foo", "--help"], "foo: not a command; "),
    (
      ["run", "--topology", "worker-mrge"],
      "--topology worker-mrge: not known; did you mean worker-merge?"
    ),
    (
      ["run", "--topology", "tree-tier"], "--topology tree-tier: not known; did you mean three-tier?"
    ),
    (["run", "--topolgy", "all"], "--topolgy: unknown flag; did you mean --topology?"),
    (
      ["run", "--machine", "simulated", "--profile", "iphone-6z"],
      "iphone-6z: not known; did you mean iphone-6s?"
    ),
    (["run", "--lookup", "recrd"], "--lookup recrd: not known; did you mean record? use one of "),
  ])
  func `a misspelled word ends with status 64 and the nearest name`(arguments: [String], line: String) async throws {
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.count == 1)
    #expect(outcome.errors.first?.hasPrefix("error: \(line)") == true, "\(outcome.errors)")
  }

  @Test(arguments: [("three-tir", "three-tier"), ("simulatd", "simulated"), ("iphone-15", "iphone-15-pro")])
  func `NearestName.of(_:among:) returns the nearest name`(text: String, name: String) {
    let names = ["all-main", "three-tier", "simulated", "iphone-15-pro"]
    #expect(NearestName.of(text, among: names) == name)
  }

  @Test func `NearestName.of(_:among:) is nil if no name is similar`() {
    #expect(NearestName.of("xyz", among: ["all-main", "three-tier"]) == nil)
    #expect(NearestName.clause("xyz", among: ["all-main"]).isEmpty)
  }

  @Test(arguments: CommandName.known(of: Stackbench.self).filter { $0 != "help" })
  func `the help of a command begins with usage and two valid examples`(command: String) throws {
    let examples = CommandExamples.of(command)
    #expect(examples.count == 2)
    for example in examples {
      let words = example.line.split(separator: " ").map(String.init)
      #expect(words.first == "stackbench" && words.contains(command) || command == "workloads", "\(example.line)")
      #expect(throws: Never.self, "\(example.line)") { try DocumentedCommandsTests.check(Array(words.dropFirst())) }
    }
    let type = try #require(Stackbench.configuration.subcommands.first { $0.configuration.commandName == command })
    let help = HelpText.arranged(Stackbench.helpMessage(for: type), of: command)
    #expect(help.hasPrefix("USAGE: stackbench \(command)"))
    let start = try #require(help.components(separatedBy: "\n\nOVERVIEW: ").first)
    #expect(
      start.contains("\n\nEXAMPLES:\n  \(examples[0].line)\n      \(examples[0].meaning)\n  \(examples[1].line)\n"))
  }
}
