import Foundation
import TestSupport
import Testing

@testable import Experiments

@Suite struct FolderSurveyTests {
  private let project: ProjectFixture
  private let items = #"[{"name":"a","brand":"x"},{"name":"b","brand":"y"},{"name":"c","brand":"z"}]"#

  init() throws {
    project = try ProjectFixture()
  }

  private func paths(_ files: [FoundFile]) -> [String] { files.map(\.path) }

  @Test func `the model and the feed that fit each other best are chosen, with a store of the model`() throws {
    try project.writeModel("Model/Zoo.xcdatamodeld", entity: "Animal", attributes: ["species", "name"])
    try project.writeModel("Model/Shop.xcdatamodeld", entity: "Item", attributes: ["name", "brand"])
    try project.write(items, to: "Feeds/items.json")
    try project.write(#"[{"weight":1},{"weight":2}]"#, to: "Feeds/weights.json")
    try project.writeStore("zoo.sqlite", entity: "Animal", attributes: ["species", "name"], rowCount: 9)
    try project.writeStore("small.sqlite", entity: "Item", attributes: ["name", "brand"], rowCount: 1)
    try project.writeStore("shop.sqlite", entity: "Item", attributes: ["name", "brand"], rowCount: 4)
    let survey = try project.survey()
    #expect(survey.models.chosen == FoundFile(path: "Model/Shop.xcdatamodeld", remark: "1 entity"))
    #expect(paths(survey.models.others) == ["Model/Zoo.xcdatamodeld"])
    #expect(
      survey.feeds.chosen
        == FoundFile(path: "Feeds/items.json", remark: "3 records; 2 of 2 members set a property"))
    #expect(paths(survey.feeds.others) == ["Feeds/weights.json"])
    #expect(survey.feeds.others[0].remark.hasPrefix("cannot be used: "), "\(survey.feeds.others)")
    #expect(survey.stores.chosen == FoundFile(path: "shop.sqlite", remark: "4 rows"))
    #expect(
      survey.stores.others.map(\.remark).sorted() == ["1 row", "9 rows; belongs to Model/Zoo.xcdatamodeld"])
    #expect(survey.modelVersion == nil)
  }

  @Test func `without a feed the model is that of the store`() throws {
    try project.writeModel("A.xcdatamodeld", entity: "Item", attributes: ["name"])
    try project.writeModel("B.xcdatamodeld", entity: "Animal", attributes: ["name"])
    try project.writeStore("b.db", entity: "Animal", attributes: ["name"], rowCount: 2)
    let survey = try project.survey()
    #expect(survey.models.chosen?.path == "B.xcdatamodeld")
    #expect(survey.stores.chosen?.path == "b.db")
    #expect(survey.feeds.chosen == nil)
  }

  @Test func `a feed that fits no model leaves the model chosen`() throws {
    try project.writeModel("A.xcdatamodeld", entity: "Item", attributes: ["name"])
    try project.write(#"[{"weight":1},{"weight":2}]"#, to: "weights.json")
    let survey = try project.survey()
    #expect(survey.models.chosen?.path == "A.xcdatamodeld")
    #expect(survey.feeds.chosen == nil)
    #expect(paths(survey.feeds.others) == ["weights.json"])
  }

  @Test func `without a model the feed with the most records is chosen`() throws {
    try project.write(#"[{"id":1,"n":1},{"id":2,"n":1}]"#, to: "a.json")
    try project.write("{\"id\":1,\"n\":1}\n{\"id\":2,\"n\":1}\n{\"id\":3,\"n\":1}\n", to: "b.jsonl")
    let survey = try project.survey()
    #expect(survey.feeds.chosen == FoundFile(path: "b.jsonl", remark: "3 records"))
    #expect(paths(survey.feeds.others) == ["a.json"])
  }

  @Test(arguments: [
    #"{"name":"app","version":"1.0.0","scripts":{"test":"x"},"contributors":[{"name":"a"},{"name":"b"}]}"#,
    #"{"name":"a","lockfileVersion":3,"packages":{"a":{"version":"1","resolved":"u"},"b":{"version":"2","resolved":"v"}}}"#,
    #"{"compilerOptions":{"target":"es5"},"references":[{"path":"a"},{"path":"b"}]}"#, #"{"a":1,"b":"c"}"#, "[1,2,3]",
    "[]", "3",
  ])
  func `JSON that is not mainly records is not listed`(_ text: String) throws {
    try project.write(text, to: "some.json")
    let survey = try project.survey()
    #expect(survey.isEmpty, "\(survey.feeds)")
  }

  @Test func `a list of records below a name is a feed`() throws {
    try project.write(#"{"status":"ok","count":2,"items":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}"#, to: "some.json")
    #expect(try project.survey().feeds.chosen?.path == "some.json")
  }

  @Test func `a damaged feed, model and store are listed with the reason`() throws {
    try project.write("[{\"id\":1},\n{\"id\":", to: "broken.json")
    try project.write("<model>", to: "Broken.xcdatamodel/contents")
    try project.write("SQLite format 3\0", to: "broken.sqlite")
    try project.write("", to: "empty.db")
    try project.write("text", to: "text.store")
    let survey = try project.survey()
    let files = survey.feeds.others + survey.models.others + survey.stores.others
    #expect(paths(files) == ["broken.json", "Broken.xcdatamodel", "broken.sqlite"])
    for file in files { #expect(file.remark.hasPrefix("cannot be used: "), "\(file)") }
    #expect(!files.contains { $0.remark.contains(project.folder.path) }, "\(files)")
  }

  @Test func `YAML is a stack, a map, a device or left out, by its contents`() throws {
    try project.write(
      "contexts:\n  - {name: main, queue: main}\n", to: "stack.yaml")
    try project.write("records: Item\n", to: "map.yml")
    try project.write("services: {web: {image: x}}\n", to: "docker-compose.yml")
    try project.write("rows: 5\n", to: "stackbench.yaml")
    let survey = try project.survey()
    #expect(survey.maps == [FoundFile(path: "map.yml", remark: "a map of records to Item")])
    #expect(survey.profiles.isEmpty)
  }
}

// MARK: - Searching

extension FolderSurveyTests {
  @Test(arguments: [
    ".hidden/items.json", "Pods/items.json", "node_modules/x/items.json", "App.xcodeproj/items.json",
    "a/b/c/d/e/f/items.json",
  ])
  func `hidden, built and deep folders are not searched`(_ path: String) throws {
    try project.write(items, to: path)
    #expect(try project.survey().isEmpty)
  }

  @Test func `a folder at the deepest level is searched`() throws {
    try project.write(items, to: "a/b/c/d/e/items.json")
    #expect(try project.survey().feeds.chosen?.path == "a/b/c/d/e/items.json")
  }

  @Test func `links and results of this program are left out`() throws {
    let other = try ProjectFixture()
    try other.write(items, to: "items.json")
    let manager = FileManager.default
    let root = project.folder.url
    try manager.createSymbolicLink(
      at: root.appendingPathComponent("link.json"),
      withDestinationURL: other.folder.url.appendingPathComponent("items.json"))
    try manager.createSymbolicLink(at: root.appendingPathComponent("folder"), withDestinationURL: other.folder.url)
    try manager.createSymbolicLink(at: root.appendingPathComponent("circle"), withDestinationURL: root)
    for name in ["manifest.json", "summary.csv", "trace.json"] {
      try project.write(items, to: "Results/latest/\(name)")
    }
    #expect(try project.survey().isEmpty)
  }

  @Test func `files are found in the order of their paths, whatever the order of the folder`() throws {
    for name in ["c", "a", "B", "b"] { try project.write(#"[{"weight":1},{"weight":2}]"#, to: "\(name).json") }
    let survey = try project.survey()
    #expect(survey.feeds.chosen?.path == "B.json")
    #expect(paths(survey.feeds.others) == ["a.json", "b.json", "c.json"])
  }
}
