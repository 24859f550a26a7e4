import Foundation
import TestSupport
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

/// The commands that README and the pages show, held to what the program, the Makefile and the scripts understand.
@Suite struct DocumentedCommandsTests {
  /// A command as a page shows it: in a line of its own, or in backticks.
  struct Command: Sendable, CustomTestStringConvertible {
    let page: String
    let text: String

    var testDescription: String { "\(page): \(text)" }
    /// The words, without what a shell takes for itself.
    var words: [String] {
      text.split(separator: " ").map(String.init).prefix { !$0.hasPrefix(">") && !$0.hasPrefix("#") }.map { word in
        word.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
      }
    }
  }

  private static let programs = ["stackbench", "make", "sh"]

  private static let commands: [Command] = {
    let folder = Repository.root.appendingPathComponent("docs").path
    let pages = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let paths = ["README.md"] + pages.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    return paths.flatMap { path in
      let text = (try? Repository.text(path)) ?? ""
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.drop { $0 == " " } }
      let spans = text.matches(of: /`([^`\n]+)`/).map(\.1)
      return (lines + spans).filter { candidate in
        programs.contains { candidate.hasPrefix("\($0) ") }
      }.map { Command(page: path, text: String($0)) }
    }
  }()

  @Test func `pages show commands of each kind`() {
    #expect(Self.commands.count > 30)
    for program in Self.programs {
      #expect(Self.commands.contains { $0.words.first == program }, "\(program)")
    }
  }

  @Test(arguments: commands.filter { $0.words.first == "stackbench" })
  func `the program understands each command line`(_ command: Command) throws {
    try Self.check(Array(command.words.dropFirst()))
  }

  /// Parses a command line, and what a command checks of it before it begins.
  static func check(_ arguments: [String]) throws {
    switch try Stackbench.parseAsRoot(arguments) {
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
  func `the Makefile has each target`(_ command: Command) throws {
    let makefile = try Repository.text("Makefile")
    for target in command.words.dropFirst() where !target.contains("=") {
      #expect(makefile.contains("\n\(target):"), "\(target)")
    }
  }

  @Test(arguments: commands.filter { $0.words.first == "sh" })
  func `each script is there`(_ command: Command) throws {
    #expect(try !Repository.text(try #require(command.words.dropFirst().first)).isEmpty)
  }
}
