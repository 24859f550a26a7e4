import Foundation
import Testing

@testable import Experiments

@Suite struct SettingsFileTextTests {
  private let project: ProjectFixture

  init() throws {
    project = try ProjectFixture()
  }

  /// Returns the text for the folder and what it gives when it is read again.
  private func written() throws -> (text: SettingsFileText, file: SettingsFile) {
    let text = SettingsFileText(try project.survey())
    return (text, try SettingsFile(text: text.text, place: SettingsFile.name))
  }

  /// Removes the marks of the comments behind the lines of text, and reads the rest.
  private func uncommented(_ line: String) throws -> SettingsFile? {
    guard line.firstMatch(of: #/^# [a-z-]+: /#) != nil else { return nil }
    return try SettingsFile(text: String(line.dropFirst(2)), place: SettingsFile.name)
  }

  @Test func `the text of an empty folder gives no settings, and each default in a comment is valid`() throws {
    let (text, file) = try written()
    #expect(file.request == RunRequest())
    #expect(text.given.isEmpty && text.commentCount == 0)
    let lines = text.text.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.hasPrefix("#") && $0.count <= 100 })
    let examples = lines.filter { !$0.contains("<") && $0.wholeMatch(of: #/# [a-z-]+: \S+/#) != nil }
    let names = try examples.compactMap(uncommented).flatMap(\.request.givenNames)
    #expect(
      names == ["workload", "rows", "existing-rows", "batch-size", "machine", "profile", "topology"])
  }

  @Test func `found paths are read back as they are, also with blanks, quotes and marks of YAML`() throws {
    let name = #"a "b': #c, [d] ö"#
    try project.writeModel("\(name).xcdatamodeld", entity: "Item", attributes: ["name"])
    try project.write(#"[{"name":"a"},{"name":"b"}]"#, to: "\(name).json")
    let (_, file) = try written()
    let expected = try RunRequest(arguments: ["--model=\(name).xcdatamodeld", "--workload=\(name).json"])
    #expect(file.request == expected)
  }

  @Test func `other files are comments that become settings without their mark`() throws {
    try project.writeModel("A.xcdatamodeld", entity: "Item", attributes: ["name"])
    try project.writeModel("B.xcdatamodeld", entity: "Animal", attributes: ["legs"])
    try project.write(#"[{"name":"a"},{"name":"b"}]"#, to: "a.json")
    try project.write(#"[{"name":"a"}]"#, to: "b.json")
    try project.write("records: Item\n", to: "map.yaml")
    let (text, file) = try written()
    #expect(file.request.givenNames == ["model", "workload"])
    #expect(text.commentCount == 3)
    #expect(text.text.contains("\n# model: B.xcdatamodeld  # 1 entity\n"))
    #expect(text.text.contains("\n# workload: b.json  # 1 record; 1 of 1 members set a property\n"))
    #expect(text.text.contains("\n# map: map.yaml  # a map of records to Item\n"))
  }

  @Test func `a store of the model becomes a setting`() throws {
    try project.writeModel("A.xcdatamodeld", entity: "Item", attributes: ["name"])
    try project.writeStore("app.sqlite", entity: "Item", attributes: ["name"], rowCount: 2)
    let (text, file) = try written()
    #expect(try file.request == RunRequest(arguments: ["--model=A.xcdatamodeld", "--store=app.sqlite"]))
    #expect(text.text.contains("\nstore: app.sqlite  # 2 rows\n"))
  }
}
