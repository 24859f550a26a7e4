import Foundation
import Metrics
import TestSupport
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests that the commands on the page about printed code and real devices run, and that the names on it exist.
@Suite struct OnADeviceTests {
  private let page: String

  init() throws {
    page = try Repository.text("docs/on-a-device.md")
  }

  /// Returns the commands on the page, which are indented lines that begin with the name of a program.
  private func commands(of program: String) -> [String] {
    page.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix(program + " ") }
  }

  /// Returns the YAML between the first fences of a page.
  private static func table(in page: String) throws -> String {
    let parts = page.components(separatedBy: "```")
    return String(try #require(parts.dropFirst().first).drop { $0 != "\n" }.dropFirst())
  }

  private var table: String { get throws { try Self.table(in: page) } }

  @Test func `the example on the page about published tables runs, and the page names each step`() async throws {
    let page = try Repository.text("docs/published-tables.md")
    let folder = try TemporaryFolder()
    let outcome = try await Program.run([
      "validate", "--published", try folder.write(Self.table(in: page), to: "notes.yaml"),
    ])
    #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
    for word in ["all on main", "over unsaved notes", "fetches_to_inserts"] { #expect(outcome.output.contains(word)) }
    for key in PublishedTableReader(place: "").stepKeys { #expect(page.contains("`\(key)`"), "\(key)") }
  }

  @Test func `every command of the page runs`() async throws {
    let folder = try TemporaryFolder()
    let records = (1...200).map { #"{"id": \#($0), "name": "row \#($0)", "price": \#($0).5, "isNew": true}"# }
    let feed = try folder.write("[\(records.joined(separator: ", "))]", to: "feed.json")
    let model = "ShoppingList.xcdatamodeld"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(model)/ShoppingList.xcdatamodel", withIntermediateDirectories: true)
    try folder.write(
      """
      <model><entity name="ShoppingItem"><attribute name="id" optional="YES" attributeType="Integer 64"/>
        <attribute name="name" optional="YES" attributeType="String"/></entity></model>
      """, to: "\(model)/ShoppingList.xcdatamodel/contents")
    let files = [
      "feed.json": feed, "shoppingItems.json": feed, model: "\(folder.path)/\(model)",
      "my-phone.yaml": try folder.write(table, to: "my-phone.yaml"), "Results/phone": folder.path + "/phone",
    ]
    let commands = commands(of: "stackbench")
    #expect(commands.count == 6)
    for command in commands {
      let words = command.split(separator: " ").prefix { $0 != ">" }.dropFirst().map { files[String($0)] ?? String($0) }
      let outcome = try await Program.run(words)
      #expect(outcome.status == 0, "\(command): \(outcome.errors)")
      if command.contains("--format swift") {
        #expect(outcome.output.contains("import os\n") == command.contains("--signposts"), "\(command)")
        #expect(outcome.output.contains("entityName: \"ShoppingItem\"") == command.contains(model), "\(command)")
      }
      if command.contains("validate") { #expect(outcome.output.contains("worker-merge/automatic wall")) }
    }
    // All other commands belong to Apple's tools.
    #expect(
      page.components(separatedBy: "\n").filter { $0.hasPrefix("    ") }.allSatisfy { line in
        ["stackbench ", "xcrun xctrace "].contains { line.trimmingCharacters(in: .whitespaces).hasPrefix($0) }
          || table(contains: line)
      })
  }

  private func table(contains line: String) -> Bool { (try? table.contains(line)) ?? false }

  @Test func `the check on a phone is short, and the page names every interval and only existing columns`() throws {
    let sections = page.components(separatedBy: "\n## The check on a phone\n")
    #expect(sections.count == 2)
    #expect(try #require(sections.last).split(whereSeparator: \.isWhitespace).count <= 900)
    for line in page.split(separator: "\n") where !line.hasPrefix("|") && !line.contains("xctrace") {
      #expect(line.count <= 120 || line.hasPrefix("    stackbench "))
    }
    let quoted = Set(page.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
    for interval in WiringCode.Interval.allCases { #expect(quoted.contains(interval.rawValue)) }
    let header = try Repository.text("Results/baseline/six/summary.csv").prefix { $0 != "\n" }
    let columns = Set(header.split(separator: ",").map(String.init))
    let named = quoted.filter {
      $0.contains("_ns") || $0.hasSuffix("_count") || $0.hasSuffix("_bytes") || $0 == "hitch_us_per_s"
    }
    #expect(named.count > 15)
    #expect(named.subtracting(columns).isEmpty)
  }

  /// Tests that the name of a signpost is a cause in `stalls.csv` or the beginning of a column's name.
  @Test func `every interval has the name of a cause or a column`() throws {
    let header = try Repository.text("Results/baseline/six/summary.csv").prefix { $0 != "\n" }
    for interval in WiringCode.Interval.allCases {
      #expect(TimeLabel(name: interval.rawValue) != nil || header.contains(",\(interval.rawValue)_ns_p50"))
    }
  }
}
