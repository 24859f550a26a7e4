import InputFiles
import MachineSimulated
import Testing

/// The errors of references and shapes that cannot be used.
@Suite struct SharedCostFileTests {
  private static let shape = """
    name: mine
    title: My framework
    version: 1
    description: A framework of mine
    groups:
      commits:
        title: commits
        costs: [commit.cpu]
        factor: {value: 2, low: 1, high: 4, source: assumption}
        axes: [1.5, 0.8]
      rest:
        title: all the rest
        costs: [\(CostPart.cpu.filter { $0.name != "commit.cpu" }.map(\.name).joined(separator: ", "))]
        factor: {value: 1, low: 1, high: 1, source: assumption}

    """

  @Test func `a shape has its groups in the order of the file`() throws {
    let shape = try ProfileReader(place: "mine.yaml").shape(from: Self.shape)
    #expect(shape.groups.map(\.name) == ["commits", "rest"])
    #expect(shape.groups[0].factor.high == 4)
    #expect(shape.groups.map(\.axes) == [[1.5, 0.8], []])
  }

  @Test(arguments: [
    (
      "[commit.cpu]", "[commit.gpu]",
      "8: groups.commits.costs: commit.gpu is not part of a cost; use kinds with a component, as in commit.cpu"
    ),
    ("[commit.cpu]", "commit.cpu", "8: groups.commits.costs: not a list; use - … for each entry"),
    ("[commit.cpu]", "[[commit.cpu]]", "8: groups.commits.costs[0]: not a text"),
    ("[commit.cpu]", "[]", "8: groups.commits.costs: empty; use at least one entry"),
    (
      "[commit.cpu]", "[commit.cpu, cellRead.cpu]",
      "13: groups.rest.costs: cellRead.cpu is also listed in commits; list it once"
    ),
    (
      "[commit.cpu]", "[commit.cpu, sync.storage]",
      "8: groups.commits.costs: sync.storage is waiting for storage, which belongs to the device; leave it out"
    ),
    ("value: 2,", "value: 5,", "9: groups.commits.factor.value: 5 does not lie in 1 to 4; use low ≤ value ≤ high"),
    ("value: 2, low: 1,", "value: 2, low: 0,", "9: groups.commits.factor.low: 0 is out of range; use 1e-06 to 1000000"),
    ("    title: commits\n", "", "7: groups.commits.title: missing"),
    (
      "    title: commits\n", "    tittle: commits\n",
      "7: groups.commits.tittle: not known; did you mean title? use one of title, costs, factor, axes"
    ),
    ("[1.5, 0.8]", "[1, 1, 1]", "10: groups.commits.axes: has 3 numbers, but the shape has 2 groups; use one for each"),
    ("[1.5, 0.8]", "[1.5, 0]", "10: groups.commits.axes[1]: 0 is out of range; use 1e-06 to 1000000"),
    ("version: 1\n", "version: 0\n", "3: version: 0 is not in range; use a whole number from 1 to 1000000"),
  ])
  func `a damaged shape throws one line with file, line and key`(
    part: String, replacement: String, expected: String
  ) throws {
    try #require(Self.shape.contains(part))
    let error = #expect(throws: ProfileError.self) {
      try ProfileReader(place: "mine.yaml").shape(
        from: Self.shape.replacing(part, with: replacement, maxReplacements: 1))
    }
    #expect(error?.description == "mine.yaml:\(expected)")
  }

  @Test func `a damaged reference throws one line with file, line and key`() throws {
    let text = ProfileWriter(try ProfileLibrary.reference()).text
    func message(_ part: String, _ replacement: String) throws -> String? {
      try #require(text.contains(part))
      let damaged = text.replacing(part, with: replacement, maxReplacements: 1)
      return #expect(throws: ProfileError.self) { try ProfileReader(place: "mine.yaml").reference(from: damaged) }?
        .description
    }
    #expect(
      try message("unit: instructions\n", "unit: nanoseconds\n")
        == "mine.yaml:5: unit: nanoseconds is not known; use instructions")
    #expect(try message("unit: instructions\n", "")?.hasSuffix("unit: missing") == true)
    #expect(
      try message("costs:\n", "costs:\n  sync2:\n    cpu: 1\n")?.hasPrefix("mine.yaml:7: costs.sync2: not known")
        == true)
    #expect(
      try message("  perform:\n", "  cpu:\n")?.contains("costs.cpu: not known") == true)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let place = try #require(lines.firstIndex(of: "  commit:"))
    let commit = lines[place...(place + 1)].joined(separator: "\n") + "\n"
    let missing = try message(commit, "")
    #expect(missing?.contains("costs.commit.cpu: missing; a reference needs {value, low, high, source} for it") == true)
  }
}
