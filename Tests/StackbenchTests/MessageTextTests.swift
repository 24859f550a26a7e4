import CommandShell
import Foundation
import Subprocess
import TestSupport
import Testing
import TrialSupport

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests that messages are one line, in which quoted control characters are visible.
@Suite(.serialized) struct MessageTextTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a message line shortens long words and keeps paths`() {
    let digits = String(repeating: "7", count: 100_001)
    #expect(MessageText.line("error: --rows \(digits): no") == "error: --rows \(digits.prefix(60))… no")
    let path = "/" + [String](repeating: String(repeating: "p", count: 64), count: 12).joined(separator: "/")
    #expect(MessageText.line("error: \(path): no") == "error: \(path): no")
    let words = [String](repeating: "ab", count: 50_000).joined(separator: " ")
    #expect(MessageText.line(words) == words.prefix(2_000) + "…")
    #expect(MessageText.line("a\nb\u{1b}[2J") == "a␊b␛[2J")
  }

  @Test func `an invalid flag value with many digits is shortened`() async throws {
    let digits = String(repeating: "9", count: 100_001)
    let outcome = try await Program.run(["run", "--rows", digits])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == ["error: --rows \(digits.prefix(60))…: not a whole number; use 1 to 10000000"])
  }

  @Test func `error messages print control characters visibly on one line`() async throws {
    let name = "\u{1b}[31m\u{202e}\u{7}x\ny"
    let absent = try await Program.run(["show", "\(folder.path)/\(name)"])
    #expect(absent.status == 64)
    #expect(absent.errors.count == 1 && absent.errors[0].contains("/␛[31m\u{fffd}␇x y: not a folder; "))

    let profile = try folder.write("title: x\n\"a\\e]0;b\\ac\": 1\n", to: "profile.yaml")
    let key = try await Program.run(["profiles", profile])
    #expect(key.status == 64)
    #expect(key.errors.count == 1 && key.errors[0].contains(":2: a␛]0;b␇c: not known; use one of"))

    let long = try folder.write("name: \(String(repeating: "1", count: 100_001))\nfirst: 1\n", to: "long.yaml")
    let value = try await Program.run(["profiles", long])
    #expect(value.status == 64 && value.errors.count == 1 && value.errors[0].count < 1_000)
  }

  @Test func `tables print control characters visibly, and JSON and CSV keep them`() async throws {
    let result = "\(folder.path)/result"
    try ComparedResults.write(to: result)
    for name in ["trials.csv", "summary.csv"] {
      let file = "\(result)/\(name)"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try Data(text.replacing("three-tier", with: "three\u{1b}[5m\u{202e}").utf8).write(to: URL(fileURLWithPath: file))
    }
    for arguments in [["show", result], ["compare", result, result]] {
      let outcome = try await Program.run(arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("three␛[5m\u{fffd}"))
      #expect(!outcome.output.contains("\u{1b}") && !outcome.output.contains("\u{202e}"))
    }
    let json = try await Program.run(["show", result, "--format", "json"])
    #expect(json.output.contains(#"three\u001b[5m\u202e"#))
    // A table is meant for programs, and standard output is not a terminal here.
    #expect(try await Program.run(["show", result, "--format", "csv"]).output.contains("three\u{1b}[5m\u{202e}"))
  }
}
