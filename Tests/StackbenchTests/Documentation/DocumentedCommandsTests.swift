import Foundation
import TestSupport
import Testing

@testable import Experiments
@testable import stackbench

/// The commands that the pages show, compared with the program, the Makefile and the scripts.
@Suite struct DocumentedCommandsTests {
  /// A command on a page: in a separate line, in backticks, or as the command that has printed a block.
  struct Command: Sendable, CustomTestStringConvertible {
    let page: String
    let text: String

    var testDescription: String { "\(page): \(text)" }

    /// The words without quotation marks, up to a redirection or a comment.
    var words: [String] {
      text.matches(of: /(?:[^\s"']|"[^"]*"|'[^']*')+/).map { String($0.0) }
        .prefix { !$0.hasPrefix(">") && !$0.hasPrefix("#") }.map { $0.filter { $0 != "\"" && $0 != "'" } }
    }
  }

  private static let interpreters = ["sh", "bash", "python3"]
  private static let programs = ["stackbench", "make"] + interpreters

  private static let commands: [Command] = DocumentationPage.all.flatMap { page in
    let printing = page.printingCommands.flatMap { $0.components(separatedBy: " && ") }
    return (page.code + printing).filter { candidate in
      programs.contains { candidate.hasPrefix("\($0) ") }
    }.map { Command(page: page.path, text: $0) }
  }

  /// The command lines of the program that do something else than print a help text.
  private static let lines = commands.filter { $0.words.first == "stackbench" && $0.words.last != "--help" }
  private static let helpLines = commands.filter { $0.words.first == "stackbench" && $0.words.last == "--help" }

  @Test func `the pages have commands of each kind`() {
    #expect(Self.lines.count > 50)
    #expect(Self.helpLines.count > 5)
    for program in Self.programs {
      #expect(Self.commands.contains { $0.words.first == program }, "\(program)")
    }
  }

  @Test func `a quoted text is one word, and a redirection ends the words`() {
    let command = Command(page: "README.md", text: #"make gate FLAGS="--format markdown" TO='a b' > out.txt"#)
    #expect(command.words == ["make", "gate", "FLAGS=--format markdown", "TO=a b"])
  }

  @Test(arguments: lines)
  func `the program parses each documented command line`(_ command: Command) throws {
    try Self.check(Array(command.words.dropFirst()))
  }

  @Test(arguments: helpLines)
  func `the program prints each documented help text`(_ command: Command) async throws {
    let outcome = try await Program.run(Array(command.words.dropFirst()))
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("USAGE: \(command.words.dropLast().joined(separator: " "))"))
  }

  /// Parses a command line, and what a command checks of it before it begins.
  static func check(_ arguments: [String]) throws {
    // The map of a page is written by a command before it, and its file does not exist here.
    let known = arguments.indices.filter { index in
      arguments[index] != "--map" && (index == 0 || arguments[index - 1] != "--map")
    }
    switch try Stackbench.parseAsRoot(known.map { arguments[$0] }) {
    case let advise as AdviseCommand:
      _ = try advise.askedLimits()
      _ = try advise.runFlags.request.adviceExperiment()
    case let run as RunCommand: _ = try run.experiment()
    case let sweep as SweepCommand where sweep.plan == nil:
      _ = try SweepPlan(varying: sweep.vary, common: sweep.runFlags.request)
    default: break
    }
  }

  @Test(arguments: commands.filter { $0.words.first == "make" })
  func `the Makefile has each documented target and variable`(_ command: Command) throws {
    let makefile = try Repository.text("Makefile")
    for word in command.words.dropFirst() {
      if let variable = word.firstMatch(of: /^([A-Z_]+)=/)?.1 {
        #expect(makefile.contains("\n\(variable) ?="), "\(variable)")
      } else {
        #expect(makefile.contains("\n\(word):"), "\(word)")
      }
    }
  }

  @Test(arguments: commands.filter { $0.words.first.map(interpreters.contains) ?? false })
  func `each documented script exists`(_ command: Command) throws {
    let path = try #require(command.words.dropFirst().first)
    #expect(try !Repository.text(path).isEmpty)
    #expect(path.hasPrefix(".ci/"))
  }
}
