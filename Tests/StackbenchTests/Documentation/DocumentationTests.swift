import Experiments
import Foundation
import Metrics
import Reporting
import TestSupport
import Testing

/// The Markdown pages: their lengths, their links, and the names that they use.
@Suite struct DocumentationTests {
  private static let inDocs = DocumentationPage.all.filter { $0.path.hasPrefix("docs/") }

  // MARK: Lengths

  @Test(arguments: [("README.md", 1_500), ("ARCHITECTURE.md", 2_000), ("CONTRIBUTING.md", 1_500)])
  func `a page at the root stays below its word limit`(path: String, limit: Int) throws {
    #expect(try DocumentationPage.named(path).wordCount <= limit)
  }

  @Test(arguments: inDocs + DocumentationPage.stories)
  func `a page in docs has at most 2,600 words, a story 1,200, and begins with its purpose`(
    page: DocumentationPage
  ) throws {
    #expect(page.wordCount <= (page.path.hasPrefix("docs/troubles/") ? 1_200 : 2_600))
    #expect(try #require(page.paragraphs.first).contains("This page"))
  }

  @Test func `docs has at most 20 pages`() {
    #expect(Self.inDocs.count <= 20)
  }

  @Test(arguments: DocumentationPage.all + DocumentationPage.stories)
  func `a sentence has at most 25 words`(page: DocumentationPage) {
    #expect(page.sentences.count > 5)
    #expect(page.sentences(longerThan: 25).isEmpty)
  }

  // MARK: Links

  @Test(arguments: DocumentationPage.all + DocumentationPage.stories)
  func `each relative link has an existing target, and an existing heading if it names one`(
    page: DocumentationPage
  ) throws {
    for linked in page.linkedPaths {
      let path = page.resolved(linked)
      let target = Repository.root.appendingPathComponent(path).path
      #expect(FileManager.default.fileExists(atPath: target), "\(linked)")
      guard let anchor = linked.firstMatch(of: /#(.+)/)?.1 else { continue }
      #expect(try DocumentationPage.named(path).anchors.contains(String(anchor)), "\(linked)")
    }
  }

  @Test func `README links to all pages, except that CONTRIBUTING links to the page for maintainers`() throws {
    let readme = try DocumentationPage.named("README.md")
    let contributing = try DocumentationPage.named("CONTRIBUTING.md")
    #expect(Self.inDocs.count > 10)
    for page in DocumentationPage.all where page.path != readme.path {
      let source = page.path == "docs/upkeep.md" ? contributing : readme
      #expect(source.linkedPaths.map(source.resolved).contains(page.path), "\(page.path)")
    }
  }

  @Test func `the page of troubles links to the story of each scenario`() throws {
    let page = try DocumentationPage.named("docs/troubles.md")
    let linked = page.linkedPaths.map(page.resolved).filter { $0.hasPrefix("docs/troubles/") }
    #expect(linked == ScenarioLibrary.all.map { "docs/troubles/\($0.id).md" })
    #expect(linked.sorted() == DocumentationPage.stories.map(\.path))
  }

  // MARK: Names

  @Test(arguments: ["docs/columns.md", "docs/live-runs.md", "docs/on-a-device.md"])
  func `each column that a page names exists`(path: String) throws {
    let columns = Set(Measure.all.map(\.name) + StallTable.header + KilledTable.header)
    let named = try DocumentationPage.named(path).code.filter { $0.contains(/^[a-z0-9_]+_(ns|us|count|bytes)(_|$)/) }
    #expect(!named.isEmpty)
    for name in named { #expect(columns.contains(name), "\(name)") }
  }

  @Test func `ARCHITECTURE names each target of the package`() throws {
    let manifest = try Repository.text("Package.swift")
    let targets = manifest.matches(of: /\.(?:target|executableTarget|systemLibrary)\(\s*name: "(\w+)"/).map(\.1)
    #expect(targets.count > 20)
    let page = try DocumentationPage.named("ARCHITECTURE.md")
    for target in targets { #expect(page.text.contains("`\(target)`"), "\(target)") }
  }

  @Test func `each source file that ARCHITECTURE names exists`() throws {
    let sources = ["Sources", "Tests", "Benchmarks/Sources"].flatMap { folder in
      FileManager.default.enumerator(atPath: Repository.root.appendingPathComponent(folder).path)?
        .compactMap { ($0 as? String)?.split(separator: "/").last.map(String.init) } ?? []
    }
    let known = Set(sources + ["Package.swift"])
    let named = try DocumentationPage.named("ARCHITECTURE.md").code.filter { $0.hasSuffix(".swift") }
    #expect(named.count > 15)
    for name in named { #expect(known.contains(name), "\(name)") }
  }

  // MARK: The reader of pages

  @Test func `sentences exclude headings, tables, comments and code`() {
    let page = DocumentationPage(
      path: "docs/a.md",
      text: """
        # One heading. Two.

        First sentence, about `a.b`
        on two lines. Second [with a link](b.md)!

        <!-- printed by: stackbench run -->

            code. more code.

        | table. | cell. |

        - An item
        2. Another. And more:

        ```yaml
        name: text. text.
        ```
        """)
    #expect(
      page.sentences == [
        "First sentence, about `a.b` on two lines.", "Second with a link!", "An item", "Another.", "And more:",
      ])
    #expect(page.sentences(longerThan: 3) == ["First sentence, about `a.b` on two lines.", "Second with a link!"])
    #expect(page.printingCommands == ["stackbench run"])
    #expect(page.linkedPaths.map(page.resolved) == ["docs/b.md"])
    #expect(page.resolved("../plots/x.svg") == "plots/x.svg")
    #expect(page.resolved("b.md#a-part") == "docs/b.md")
    #expect(page.resolved("#a-part") == "docs/a.md")
  }

  @Test func `anchors are those of GitHub`() {
    let page = DocumentationPage(
      path: "docs/a.md",
      text: """
        # One: `a-b_c`, 2 … d?
        ## Limits
        ```yaml
        # comment
        ```
        ### Limits
        """)
    #expect(page.anchors == ["one-a-b_c-2--d", "limits", "limits-1"])
  }
}
