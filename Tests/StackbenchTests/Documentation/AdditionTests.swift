import ArgumentParser
import CLinux
import Foundation
import InputFiles
import Metrics
import Reporting
import TestSupport
import Testing
import Topologies

@testable import Experiments
@testable import stackbench

/// The numbers of files that additions touch, as a table of ARCHITECTURE gives them.
///
/// A file that names at least nine tenths of the members of a kind is a list of them, and a new member is added there.
@Suite struct AdditionTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    /// The addition in the first column of the table.
    var addition: String
    /// The spellings of each present member.
    var members: [[String]]
    /// The other files that a new member needs, with a star in place of its name.
    var ownFiles: [String]

    var testDescription: String { addition }
  }

  private static func words(_ name: String) -> [Substring] { name.split { "-_".contains($0) } }

  /// Returns the name as Swift spells it: `three-tier` is `threeTier`.
  private static func swiftName(_ name: String) -> String {
    words(name).enumerated().map { $0.offset == 0 ? String($0.element) : $0.element.capitalized }.joined()
  }

  /// Returns the name of a measure's property: `import_ns` is `importNanoseconds`.
  private static func propertyName(_ column: String) -> String {
    let units = ["ns": "nanoseconds", "us": "microseconds", "max": "maximum"]
    return swiftName(words(column).map { units[String($0)] ?? String($0) }.joined(separator: "-"))
  }

  private static var commands: [any ParsableCommand.Type] {
    Stackbench.configuration.subcommands.filter { $0.configuration.shouldDisplay }
  }

  static let kinds = [
    Kind(
      addition: "a topology", members: Topology.relatives.map { [$0.id, swiftName($0.id)] },
      ownFiles: ["Sources/Topologies/*.swift", "docs/stacks/*.svg"]),
    Kind(
      addition: "a measure", members: Measure.all.map { [$0.name, propertyName($0.name)] },
      ownFiles: ["the ledger that has its events"]),
    Kind(
      addition: "a profile", members: ProfileLibrary.shippedNames.map { [$0] },
      ownFiles: ["Sources/InputFiles/Profiles/Shipped/*.yaml"]),
    Kind(
      addition: "a command",
      members: commands.map { ["\($0)", "stackbench \($0._commandName)", "\n  \($0._commandName) "] },
      ownFiles: ["Sources/stackbench/Commands/*.swift", "Tests/StackbenchTests/Snapshots/help-*.txt"]),
    Kind(
      addition: "a setting of a run",
      members: SettingTable.standard.settings.map { ["--\($0.name)", "\"\($0.name)\""] },
      ownFiles: ["the options that it fills"]),
    Kind(
      addition: "an output format",
      members: PrintedRun.formats.map { ["case .\($0.rawValue)", "case \($0.rawValue)\n"] },
      ownFiles: [
        "Sources/Reporting/Pages/*.swift", "Sources/Reporting/Pages/PrintableResult.swift", "the formats of a result",
      ]),
  ]

  /// The texts of sources, tests, pages and scripts of charts by their paths, in the order of the paths. The inputs of
  /// the fuzzer stay as they were found.
  private static let texts = ["Sources", "Tests", "docs", "plots/common"].flatMap { folder in
    let root = Repository.root.appendingPathComponent(folder)
    let names = (FileManager.default.enumerator(atPath: root.path)?.allObjects ?? []).compactMap { $0 as? String }
    return names.sorted().filter { !$0.contains("/FuzzCorpus/") }.compactMap { name in
      (try? Data(contentsOf: root.appendingPathComponent(name))).map { (path: "\(folder)/\(name)", text: $0) }
    }
  }

  /// Returns the paths of the files that list the members.
  private static func lists(of kind: Kind) -> [String] {
    let spellings = kind.members.map { $0.map { Array($0.utf8) } }
    return texts.filter { file in
      var missing = 0
      for spelling in spellings where 10 * missing <= spellings.count {
        if !spelling.contains(where: { contains(file.text, $0) }) { missing += 1 }
      }
      return 10 * missing <= spellings.count
    }.map(\.path)
  }

  private static func contains(_ text: Data, _ word: [UInt8]) -> Bool {
    text.withUnsafeBytes { bytes in
      bytes.baseAddress.map { memmem($0, bytes.count, word, word.count) != nil } ?? false
    }
  }

  @Test(arguments: kinds)
  func `an addition touches the number of files that ARCHITECTURE gives`(kind: Kind) throws {
    #expect(kind.members.count > 3)
    let rows = try Repository.text("ARCHITECTURE.md").split(separator: "\n")
    let row = try #require(rows.first { $0.hasPrefix("| \(kind.addition) |") })
    let number = Int(row.split(separator: "|")[1].filter { $0 != " " })
    let files = Self.lists(of: kind) + kind.ownFiles
    #expect(number == files.count, "\(files.joined(separator: ", "))")
  }
}
