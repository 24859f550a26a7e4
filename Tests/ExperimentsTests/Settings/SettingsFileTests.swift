import Foundation
import InputFiles
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments

@Suite struct SettingsFileTests {
  private func file(_ text: String) throws -> SettingsFile {
    try SettingsFile(text: text, place: "stackbench.yaml")
  }

  private func message(_ text: String) -> String? {
    let error = #expect(throws: YAMLError.self, "\(text)") { try file(text) }
    return error?.description
  }

  @Test(arguments: ["", "\n", "# rows: 5\n\n  # more\n", "\u{feff}# rows: 5"])
  func `a file with only comments gives no settings`(_ text: String) throws {
    #expect(try file(text).request == RunRequest())
  }

  @Test func `a list gives each value of a repeatable setting`() throws {
    let request = try file("topology: [three-tier, all-main]\n").request
    #expect(try request == RunRequest(arguments: ["--topology=three-tier", "--topology=all-main"]))
  }

  @Test func `a switch is on, or off as if it were not given`() throws {
    #expect(try file("trace: true\n").request == RunRequest(arguments: ["--trace"]))
    #expect(try file("trace: false\n").request == RunRequest())
  }

  @Test(arguments: [
    ("rows: 5\nrow: 6\n", "stackbench.yaml:2: row: not known; did you mean rows? use the name of a flag that "),
    ("rows: 5\nquiet: true\n", "stackbench.yaml:2: quiet: not known; use the name of a flag that "),
    ("rows: 0\n", "stackbench.yaml:1: rows: 0: out of range; use 1 to 10000000"),
    ("seed: 1\nrows: many\n", "stackbench.yaml:2: rows: many: not a whole number; use 1 to 10000000"),
    ("rows:\n", "stackbench.yaml:1: rows: without a value; use rows: <n>, or remove the line"),
    ("rows: [5]\n", "stackbench.yaml:1: rows: a list, but the setting has one value; use rows: <n>"),
    ("rows: {n: 5}\n", "stackbench.yaml:1: rows: not a single value; use rows: <n>"),
    ("trace: 1\n", "stackbench.yaml:1: trace: 1 is neither true nor false"),
    ("topology: []\n", "stackbench.yaml:1: topology: empty; use at least one entry"),
    (
      "topology:\n- all-main\n- tree-tier\n",
      "stackbench.yaml:3: topology[1]: tree-tier: not known; did you mean three-"
    ),
    ("rows: 5\nrows: 6\n", "stackbench.yaml:2: rows: given twice; use it once"),
    ("model: \"a\\0b\"\n", "stackbench.yaml:1: model: "),
    ("rows 5\n", "stackbench.yaml:1: not a mapping; use topology: "),
    ("- rows\n", "stackbench.yaml:1: not a mapping; use "), ("rows: [5\n", "stackbench.yaml:2: not YAML: "),
  ])
  func `an error has one line with the file, the line and the key`(text: String, start: String) throws {
    let line = try #require(message(text))
    #expect(line.hasPrefix(start), "\(line)")
    #expect(!line.contains { $0.isNewline })
  }

  @Test func `aliases that multiply without end are refused`() throws {
    let anchors = (1...12).map { "&a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 12).joined(separator: ", "))]" }
    let line = message("topology: [&a0 all-main, \(anchors.joined(separator: ", "))]\n")
    #expect(line?.contains("its aliases") == true, "\(line ?? "")")
  }

  @Test func `a folder, a missing file, a large file and a file that is not UTF-8 are refused`() throws {
    let folder = try TemporaryFolder()
    func message(_ name: String) -> String? {
      let error = #expect(throws: YAMLError.self) { try SettingsFile(at: "\(folder.path)/\(name)") }
      return error?.description.replacingOccurrences(of: "\(folder.path)/", with: "")
    }
    #expect(message(".")?.contains("cannot be read: it is a folder; use the path of settings in YAML") == true)
    #expect(message("none.yaml")?.hasPrefix("none.yaml: cannot be read: No such file") == true)
    try folder.write(String(repeating: "# comment\n", count: 30_000), to: "large.yaml")
    #expect(message("large.yaml")?.hasPrefix("large.yaml: larger than 262144 bytes") == true)
    try Data([0x72, 0xff, 0xfe]).write(to: folder.url.appendingPathComponent("bytes.yaml"))
    #expect(message("bytes.yaml") == "bytes.yaml: not UTF-8 text; use YAML")
  }
}

// MARK: - Use

extension SettingsFileTests {
  @Test func `flags replace single settings of the file`() throws {
    let file = try file("rows: 5\nseed: 7\nmachine: simulated\n")
    let given = try RunRequest(arguments: ["--seed=8"])
    #expect(file.namesTaken(beside: given, accepting: { _ in true }) == ["rows", "machine"])
    #expect(file.namesTaken(beside: given, accepting: { $0.uses.contains(.advice) }) == ["rows"])
  }

  @Test func `a version, a store and a map are not taken for another model and another workload`() throws {
    let file = try file("model: a\nmodel-version: b\nstore: c\nworkload: flat\nmap: '{records: Item}'\n")
    func names(_ arguments: String...) throws -> [String] {
      file.namesTaken(beside: try RunRequest(arguments: arguments), accepting: { _ in true })
    }
    #expect(try names() == ["model", "model-version", "store", "workload", "map"])
    #expect(try names("--model=c") == ["workload", "map"])
    #expect(try names("--workload=a.json") == ["model", "model-version", "store"])
    #expect(try names("--workload=catalog").isEmpty)
  }

  @Test func `a failure about a setting from the file begins with its line`() throws {
    let file = try file("rows: 5\nprofile: iphone-6z\ndraws: 3\n")
    func line(_ message: String, _ names: String...) -> String {
      file.located(.usage(message), among: names).message
    }
    #expect(line("--draws 3: not here", "rows", "draws") == "stackbench.yaml:3: --draws 3: not here")
    #expect(line("iphone-6z: not known", "profile") == "stackbench.yaml:2: iphone-6z: not known")
    #expect(line("--draws 3: not here", "rows") == "--draws 3: not here")
    #expect(line("--draws-within 3: not here", "draws") == "--draws-within 3: not here")
    #expect(file.located(.failed("--draws 3: a trial failed"), among: ["draws"]).message == "--draws 3: a trial failed")
  }
}
