import Foundation
import Testing

/// Tests of the page of deliberate differences: each difference names a test, and the named tests exist.
@Suite struct DivergencesPageTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of the page.
  private static func lines() throws -> [String] {
    let page = root.appendingPathComponent("Sources/ContextEngine/ContextEngine.docc/DivergencesFromCoreData.md")
    return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The items of the page, each on one line.
  private static func items() throws -> [String] {
    var items: [String] = []
    var isInside = false
    for line in try lines() {
      if line.hasPrefix("- ") {
        items.append(line)
        isInside = true
      } else if isInside, line.hasPrefix("  ") {
        items[items.count - 1] += " " + line.dropFirst(2)
      } else {
        isInside = false
      }
    }
    return items
  }

  /// The names of all tests of the package.
  private static func tests() throws -> Set<String> {
    let folder = root.appendingPathComponent("Tests").resolvingSymlinksInPath()
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var names: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      for match in source.matches(of: /func `([^`]+)`/) { names.insert(String(match.1)) }
    }
    return names
  }

  @Test func `every item of the page of divergences names existing tests`() throws {
    let tests = try Self.tests()
    let items = try Self.items()
    #expect(items.count > 100 && tests.count > 1_000)
    for item in items {
      // The names are between single asterisks. The double ones enclose the lead.
      let named = item.replacing("**", with: "").matches(of: /\*([^*]+)\*/).map { String($0.1) }
      #expect(!named.isEmpty, "the item names no test: \(item.prefix(100))")
      for name in named where !tests.contains(name) {
        Issue.record("“\(name)” is not the name of a test: \(item.prefix(100))")
      }
    }
  }

  @Test func `items of the page have a bold lead, and lines at most 128 columns`() throws {
    let lines = try Self.lines()
    for (index, line) in lines.enumerated() {
      #expect(line.count <= 128, "\(line)")
      if line.hasPrefix("- ") { #expect(line.hasPrefix("- **"), "\(line)") }
      if line.isEmpty, index > 0, index + 1 < lines.count {
        #expect(!(lines[index - 1].hasPrefix("  ") && lines[index + 1].hasPrefix("- ")), "before \(lines[index + 1])")
      }
    }
  }
}
