import InputFiles
import Testing

/// The errors of YAML files, each with its file, line and key.
@Suite struct YAMLMappingTests {
  private static let text = """
    name: mine
    size: 12
    limits:
      low: 0.5
      isOpen: yes
    tags: [a, b]
    """

  private static let keys = ["name", "size", "limits", "tags"]

  private func root(_ text: String = Self.text) throws -> YAMLMapping {
    try YAMLMapping(text: text, place: "mine.yaml", keys: Self.keys)
  }

  private func error(_ body: () throws -> Void) -> YAMLError? {
    #expect(throws: YAMLError.self) { try body() }
  }

  @Test func `values are read by their keys`() throws {
    let root = try root()
    #expect(try root.text("name") == "mine")
    #expect(try root.integer("size", in: 1...20) == 12)
    #expect(try root.mapping("limits", keys: ["low", "isOpen"]).number("low", in: 0...1) == 0.5)
    #expect(try root.texts("tags") == ["a", "b"])
    #expect(root.has("tags") && !root.has("tag"))
    #expect(root.isMapping("limits") && root.isList("tags"))
  }

  @Test(arguments: [
    ("name: [", "mine.yaml:2: not YAML: did not find expected node content", YAMLError.Code.malformedText),
    ("", "mine.yaml: empty; use YAML with name: … first", .malformedText),
    ("- a", "mine.yaml:1: not a mapping; use name: … and the like", .invalidValue),
    ("name: a\nname: b", "mine.yaml:1: name: given twice; use it once", .malformedText),
    ("? [a]\n: 1", "mine.yaml:1: a key that is not a text; use one of name, size, limits, tags", .unknownKey),
    ("\"\": 1", "mine.yaml:1: an empty key; use one of name, size, limits, tags", .unknownKey),
    (
      "name: \(String(repeating: "&a [*a, *a] ", count: 40))",
      "mine.yaml: its aliases, such as *name, can multiply without end; write out their values", .malformedText
    ),
    (
      "name: [\(String(repeating: "&a x, ", count: 10_001))]",
      "mine.yaml: it has more than 10000 anchors and aliases, such as &name and *name; write out their values",
      .malformedText
    ),
    (
      "name: a\nsise: 1", "mine.yaml:2: sise: not known; did you mean size? use one of name, size, limits, tags",
      .unknownKey
    ),
  ])
  func `a file without a mapping of known keys throws one line`(text: String, message: String, code: YAMLError.Code) {
    let error = error { _ = try root(text) }
    #expect(error?.description == message)
    #expect(error?.code == code)
  }

  @Test func `an invalid value throws one line with file, line and key path`() throws {
    let root = try root()
    let limits = try root.mapping("limits", keys: nil)
    #expect(
      error { _ = try root.integer("size", in: 1...10) }?.description
        == "mine.yaml:2: size: 12 is not in range; use a whole number from 1 to 10")
    #expect(
      error { _ = try limits.number("low", in: 1...2) }?.description
        == "mine.yaml:4: limits.low: 0.5 is out of range; use 1 to 2")
    #expect(
      error { _ = try limits.boolean("isOpen") }?.description
        == "mine.yaml:5: limits.isOpen: yes is neither true nor false")
    #expect(
      error { _ = try root.name("name", of: ["yours"]) }?.description
        == "mine.yaml:1: name: mine is not known; use yours")
    #expect(
      error { _ = try root.mappings("tags", keys: nil) }?.description
        == "mine.yaml:6: tags[0]: not a mapping; use name: … and the like")
    let missing = error { _ = try limits.number("high", in: 0...1) }
    #expect(missing?.description == "mine.yaml:4: limits.high: missing")
    #expect(missing?.code == .missingKey)
  }

  @Test func `the line of a missing path is that of its nearest mapping`() throws {
    let root = try root()
    #expect(root.line(of: "limits.low") == 4)
    #expect(root.line(of: "limits.high") == 4)
    #expect(root.line(of: "other") == 1)
  }

  @Test func `the line of a path may lead through lists`() throws {
    let root = try root("tags:\n  - {a: 1}\n  - {a: 2,\n     b: 3}\n")
    #expect(root.line(of: "tags[0].a") == 2)
    #expect(root.line(of: "tags[1].b") == 4)
    #expect(root.line(of: "tags[1].c") == 3)
    #expect(root.line(of: "tags[2].a") == 2)
    #expect(root.line(of: "tags[x]") == 2)
  }

  @Test func `only a list without entries is an empty list`() throws {
    #expect(try root("tags: []").isEmptyList("tags"))
    #expect(try !root().isEmptyList("tags") && !root().isEmptyList("name") && !root().isEmptyList("none"))
  }
}
