import Testing

/// Tests of the finder of references on sample sources.
@Suite struct FloorFinderTests {
  private static let floors = Floors(
    module: "House", imports: [],
    folders: [.floor("Low", "rows"), .floor("High", "contexts"), .wing("Side", above: "Low", "history")])

  private func wrong(_ sources: [String: String], imported: [String] = []) -> [String] {
    let files = sources.sorted { $0.key < $1.key }.map { Floors.File(path: $0.key, source: $0.value) }
    return Self.floors.wrongReferences(
      in: files, imported: imported.map { Floors.File(path: "Other.swift", source: $0) })
  }

  private static let high = "struct Context { func processChanges() {} }"

  @Test func `a lower floor may not name a type of a higher one`() {
    let found = wrong(["Low/Row.swift": "struct Row {\n  var owner: Context?\n}", "High/Context.swift": Self.high])
    #expect(
      found == [
        "Low/Row.swift:2: names Context, which is declared in High; Low must not refer to High"
      ])
  }

  @Test func `a lower floor may not call a member of a higher one`() {
    let found = wrong([
      "Low/Row.swift": "struct Row { func save(_ owner: Owner) { owner.processChanges() } }",
      "High/Context.swift": Self.high,
    ])
    #expect(
      found == [
        "Low/Row.swift:1: names processChanges, which is declared in High; Low must not refer to High"
      ])
  }

  @Test func `references to members of extensions, cases and nested types are found`() {
    let high = "extension Row { enum State { case opened(Int), closed } ; var isDirty: Bool { true } }"
    let found = wrong([
      "Low/Row.swift": "let a = State.opened(1), b = row.isDirty, c = f(.closed)", "High/A.swift": high,
    ])
    #expect(found.count == 4)
  }

  @Test func `a higher floor may name a lower one`() {
    #expect(wrong(["Low/Row.swift": "struct Row {}", "High/Context.swift": "let row = Row()"]).isEmpty)
  }

  @Test func `references in comments and string literals are ignored`() {
    let low = """
      // Context
      /* Context /* Context */ processChanges */
      /// Context
      let a = "Context", b = #"Context "x" \\(Context)"#, c = \"\"\"
        Context "processChanges"
        \"\"\"
      """
    #expect(wrong(["Low/Row.swift": low, "High/Context.swift": Self.high]).isEmpty)
  }

  @Test func `references in string interpolations are found`() {
    let found = wrong(["Low/Row.swift": #"let a = "x \(f("y", Context())) z""#, "High/Context.swift": Self.high])
    #expect(found.count == 1)
  }

  @Test func `parameters, variables, labels and generic parameters are not references`() {
    let low = """
      func f<Context>(processChanges: Int, _ value: Context) { g(processChanges: 1) }
      func g() { let processChanges = 2; for processChanges in 0..<processChanges { use(processChanges) } }
      """
    #expect(wrong(["Low/Row.swift": low, "High/Context.swift": Self.high]).isEmpty)
  }

  @Test func `a name that a lower floor also declares is permitted`() {
    let sources = [
      "Low/A.swift": "struct A { func processChanges() {} }", "Low/B.swift": "let b = A().processChanges()",
      "High/Context.swift": Self.high,
    ]
    #expect(wrong(sources).isEmpty)
  }

  @Test func `a name that an imported module declares is permitted`() {
    let low = ["Low/B.swift": "let b = a.processChanges()", "High/Context.swift": Self.high]
    #expect(wrong(low).count == 1)
    #expect(wrong(low, imported: ["struct Machine { func processChanges() {} }"]).isEmpty)
  }

  @Test func `a wing may refer to lower floors, but no floor to a wing`() {
    let sources = [
      "Low/Row.swift": "struct Row {}", "High/Context.swift": "struct Context { var log: Log }",
      "Side/Log.swift": "struct Log { var row: Row; var owner: Context }",
    ]
    #expect(
      wrong(sources) == [
        "High/Context.swift:1: names Log, which is declared in Side; High must not refer to Side",
        "Side/Log.swift:1: names Context, which is declared in High; Side must not refer to High",
      ])
  }

  @Test func `a file in a folder that the table lacks is reported`() {
    #expect(
      wrong(["Attic/Row.swift": "struct Row {}"]) == [
        "Attic/Row.swift: is in no folder of the table of House; put it into one, or add its folder"
      ])
  }
}
