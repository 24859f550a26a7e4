import Foundation
import Metrics
import TestSupport
import Testing

/// The meanings of columns in docs/columns.md, which measures declare.
@Suite struct ColumnsPageTests {
  private static let path = "docs/columns.md"

  /// Returns a line of a table with the meaning of the measure that its last cell but one names, and the measure.
  private static func written(_ line: Substring) -> (line: String, measure: Measure?) {
    let cells = line.components(separatedBy: "|")
    guard line.hasPrefix("|"), cells.count > 3,
      let measure = Measure.named(cells[cells.count - 3].trimmingCharacters(in: ["`", " "])),
      let meaning = measure.meaning
    else { return (String(line), nil) }
    return ((cells.dropLast(2) + [" \(meaning) |"]).joined(separator: "|"), measure)
  }

  @Test func `the page of columns has the meanings that measures declare`() throws {
    let page = try Repository.text(Self.path)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(Self.written)
    let text = lines.map(\.line).joined(separator: "\n")
    if ProcessInfo.processInfo.environment["STACKBENCH_RECORD"] != nil {
      try Data(text.utf8).write(to: Repository.root.appendingPathComponent(Self.path))
    }
    #expect(try Repository.text(Self.path) == text, "record it with STACKBENCH_RECORD=1")
    let named = lines.compactMap { $0.measure?.name }
    #expect(named.sorted() == Measure.all.filter { $0.meaning != nil }.map(\.name).sorted())
  }

  @Test func `a row gets the meaning of its measure`() {
    #expect(
      Self.written("| `import s` | `import_ns` | old |").line
        == "| `import s` | `import_ns` | from the first arrival to the last COMMIT |")
    #expect(Self.written("| `band` | | old |").line == "| `band` | | old |")
  }
}
