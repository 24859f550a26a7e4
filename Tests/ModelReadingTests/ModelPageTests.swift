import Foundation
import TestSupport
import Testing
import Workloads

/// The section about models on the page about models and feeds, whose tables must have every construct that the reader
/// supports.
@Suite struct ModelPageTests {
  private static let page = (try? Repository.text("docs/models-and-feeds.md")) ?? ""
  /// The text below the heading of the section, up to the next heading of its level.
  private static let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Models\n") } ?? ""
  /// The first and the second cell of each row of the tables.
  private static let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
    row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func names(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  @Test(arguments: ModelVocabulary.elements.map(\.name))
  func `the page lists each element and each of its attributes`(name: String) throws {
    let element = try #require(ModelVocabulary.elements.first { $0.name == name })
    let listed = Set(Self.rows.flatMap { Self.names($0[0]) })
    #expect(listed.contains("<\(name)>"), "\(name)")
    for attribute in element.attributes { #expect(listed.contains(attribute), "\(name) \(attribute)") }
  }

  @Test func `the page lists each type of attributes and each deletion rule`() {
    let listed = Set(Self.rows.flatMap { Self.names($0[0]) })
    for type in ModelDocument.AttributeType.allCases { #expect(listed.contains(type.rawValue), "\(type)") }
    for rule in ModelDocument.DeletionRule.allCases { #expect(listed.contains(rule.rawValue), "\(rule)") }
  }

  @Test func `each row names what happens to a construct`() {
    #expect(Self.rows.count > 30)
    for row in Self.rows {
      #expect(row.count > 1 && ["honoured", "kept and shown", "refused"].contains { row[1].hasPrefix($0) }, "\(row)")
    }
  }
}
