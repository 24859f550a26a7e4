import Foundation
import TestSupport
import Testing
import Topologies

@testable import InputFiles

/// Files that are missing, damaged or made to exhaust a reader.
@Suite struct TopologyFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns the error of a file without the folder's path, or nil if the file can be read.
  private func error(_ name: String) -> String? {
    do {
      _ = try TopologyFile.topology(at: "\(folder.path)/\(name)")
      return nil
    } catch {
      return error.description.replacing("\(folder.path)/", with: "")
    }
  }

  @Test func `the ID is the name of the file unless the file gives one`() throws {
    let text = OwnStacks.nested.split(separator: "\n").dropFirst().joined(separator: "\n")
    #expect(try TopologyFile.topology(at: folder.write(text, to: "my-stack.yaml")).id == "my-stack")
    #expect(try TopologyFile.topology(at: folder.write(text, to: "other.YML")).id == "other")
    #expect(try TopologyFile.topology(at: folder.write(OwnStacks.nested, to: "my-stack.yaml")).id == "nested")
    try folder.write(text, to: "my stack.yaml")
    #expect(
      error("my stack.yaml")
        == "my stack.yaml:1: id: my stack, the name of the file, is not a name; use a letter, then "
        + "letters, digits and hyphens, as in id: my-stack")
  }

  @Test(arguments: [
    ("a.yaml", true), ("a.yml", true), ("./a", true), ("../a", true), ("/a", true), ("three-tier", false),
    ("worker-merge/reset", false), ("a.json", false), ("", false),
  ])
  func `a word with a path's form is a path`(word: String, isPath: Bool) {
    #expect(TopologyFile.isPath(word) == isPath)
  }

  @Test func `a file that cannot be read names the reason`() throws {
    let advice = "; use the path of a topology in YAML"
    #expect(error("none.yaml") == "none.yaml: cannot be read: No such file or directory\(advice)")
    try FileManager.default.createDirectory(atPath: "\(folder.path)/folder.yaml", withIntermediateDirectories: false)
    #expect(error("folder.yaml") == "folder.yaml: cannot be read: it is a folder\(advice)")
    #expect(mkfifo("\(folder.path)/fifo.yaml", 0o600) == 0)
    #expect(error("fifo.yaml") == "fifo.yaml: cannot be read: it is a FIFO\(advice)")
    try folder.write(String(repeating: "#", count: 65_537), to: "large.yaml")
    #expect(error("large.yaml") == "large.yaml: larger than 65536 bytes\(advice)")
  }

  @Test func `a file that is not a text in YAML is refused`() throws {
    try Data([0xff, 0xfe, 0x00]).write(to: folder.url.appendingPathComponent("binary.yaml"))
    #expect(error("binary.yaml") == "binary.yaml: not UTF-8 text; use YAML")
    try folder.write("", to: "empty.yaml")
    #expect(error("empty.yaml") == "empty.yaml: empty; use YAML with id: … first")
    try folder.write("# nothing\n", to: "comment.yaml")
    #expect(error("comment.yaml") == "comment.yaml: empty; use YAML with id: … first")
    try folder.write("- a\n", to: "list.yaml")
    #expect(error("list.yaml") == "list.yaml:1: not a mapping; use id: … and the like")
    try folder.write("id: \"mine", to: "open.yaml")
    #expect(error("open.yaml")?.hasPrefix("open.yaml:") == true)
  }

  @Test func `each prefix of a file ends with an error or a stack`() throws {
    let text = TopologyWriter(.threeTier).text(for: "tests")
    var readCount = 0
    for count in stride(from: 0, through: text.count, by: 7) {
      do {
        _ = try TopologyReader(place: "mine.yaml").topology(from: String(text.prefix(count)))
        readCount += 1
      } catch {
        #expect(error.description.hasPrefix("mine.yaml") && !error.description.contains("\n"))
      }
    }
    #expect(readCount < text.count / 14)
  }

  @Test func `aliases that multiply are refused at once`() throws {
    let lines = (1...40).map {
      "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 10).joined(separator: ", "))]"
    }
    try folder.write((["a0: &a0 [x, x]"] + lines + ["id: *a40"]).joined(separator: "\n"), to: "bomb.yaml")
    let message = "its aliases, such as *name, can multiply without end; write out their values"
    #expect(error("bomb.yaml") == "bomb.yaml: \(message)")
    // Keys are compared as a whole.
    let keys = ["a0: &a0 [x, x]"] + lines + ["? *a40", ": 1", "? *a40", ": 2"]
    try folder.write(keys.joined(separator: "\n"), to: "keys.yaml")
    #expect(error("keys.yaml") == "keys.yaml: \(message)")
    let few = "a0: &a0 x\na1: &a1 [*a0, *a0, *a0]\na2: &a2 [*a1, *a1, *a1]\n? *a2\n: 1"
    try folder.write(few, to: "few.yaml")
    #expect(error("few.yaml")?.hasPrefix("few.yaml:1: a0: not known; ") == true)
  }

  @Test(arguments: ["[", "{a: ", "- ", "? "])
  func `deep nesting is refused`(opening: String) throws {
    try folder.write("id: " + String(repeating: opening, count: 65_000 / opening.count), to: "deep.yaml")
    #expect(error("deep.yaml")?.hasPrefix("deep.yaml") == true)
    try folder.write(String(repeating: opening, count: 999), to: "deep.yaml")
    #expect(error("deep.yaml")?.hasPrefix("deep.yaml") == true)
  }
}
