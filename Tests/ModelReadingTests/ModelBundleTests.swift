import Foundation
import TestSupport
import Testing
import Workloads

/// The folders and files of models, and the choice of a version.
@Suite struct ModelBundleTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes a bundle whose versions each have one entity, called after the version.
  private func bundle(_ versions: [String], current: String? = nil, name: String = "M.xcdatamodeld") throws -> String {
    for version in versions {
      let path = "\(folder.path)/\(name)/\(version).xcdatamodel"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try folder.write("<model><entity name=\"\(version)\"/></model>", to: "\(name)/\(version).xcdatamodel/contents")
    }
    if let current { try mark(current, name) }
    return "\(folder.path)/\(name)"
  }

  private func mark(_ current: String, _ name: String = "M.xcdatamodeld") throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>\(current)</dict></plist>
      """, to: "\(name)/.xccurrentversion")
  }

  private func named(_ version: String) -> String { "<key>_XCCurrentVersionName</key><string>\(version)</string>" }

  private func error(_ path: String, version: String? = nil) -> String {
    let error = #expect(throws: ModelError.self) { try ModelDocument(path: path, version: version) }
    return (error?.description ?? "").replacingOccurrences(of: folder.path + "/", with: "")
  }

  // MARK: Versions

  @Test func `the current version of a bundle is read, and others by their name`() throws {
    let path = try bundle(["M", "M 10", "M 2"], current: named("M 2.xcdatamodel"))
    let document = try ModelDocument(path: path + "/")
    #expect(document.versions == ["M", "M 2", "M 10"] && document.currentVersion == "M 2" && document.version == "M 2")
    #expect(document.entities.map(\.name) == ["M 2"])
    #expect(document.place.hasSuffix("M.xcdatamodeld/M 2.xcdatamodel/contents"))
    #expect(try ModelDocument(path: path, version: "M").entities.map(\.name) == ["M"])
    let last = try ModelDocument(path: path, version: "M 10.xcdatamodel")
    #expect(last.version == "M 10" && last.currentVersion == "M 2")
  }

  @Test func `a bundle with one version needs no current version`() throws {
    let path = try bundle(["Only 1.2"])
    #expect(try ModelDocument(path: path).currentVersion == "Only 1.2")
    try mark("")
    #expect(try ModelDocument(path: path).version == "Only 1.2")
  }

  @Test func `several versions without a current one are listed`() throws {
    let path = try bundle(["A", "B", "C"])
    #expect(error(path) == "M.xcdatamodeld: no current version is named; choose one of A, B, C")
    try mark("<key>other</key><string>A.xcdatamodel</string>")
    #expect(error(path) == "M.xcdatamodeld: no current version is named; choose one of A, B, C")
    #expect(try ModelDocument(path: path, version: "B").currentVersion == nil)
  }

  @Test(arguments: ["D.xcdatamodel", "../../A.xcdatamodel", "..", "/etc/passwd"])
  func `a current version that does not exist is an error with the versions`(name: String) throws {
    let path = try bundle(["A", "B"], current: named(name))
    let shown = name.replacingOccurrences(of: ".xcdatamodel", with: "")
    #expect(
      error(path) == "M.xcdatamodeld/.xccurrentversion: \(shown) is named as the current version, "
        + "which the folder does not have; use A, B")
    #expect(try ModelDocument(path: path, version: "A").version == "A")
  }

  @Test func `an unknown version is an error with the versions`() throws {
    let path = try bundle(["A", "B"], current: named("A.xcdatamodel"))
    #expect(error(path, version: "../B") == "M.xcdatamodeld: there is no version ../B; use A, B")
    #expect(
      error(path + "/A.xcdatamodel", version: "B") == "M.xcdatamodeld/A.xcdatamodel: there is no version B; use A")
  }

  @Test func `a damaged file of the current version is an error unless a version is chosen`() throws {
    let path = try bundle(["A", "B"])
    try folder.write("no list", to: "M.xcdatamodeld/.xccurrentversion")
    #expect(
      error(path)
        == "M.xcdatamodeld/.xccurrentversion: the file is no property list with a dictionary; "
        + "use one with _XCCurrentVersionName")
    try mark("<key>_XCCurrentVersionName</key><integer>1</integer>")
    #expect(
      error(path)
        == "M.xcdatamodeld/.xccurrentversion: _XCCurrentVersionName: the value is not a text; use the name of a version"
    )
    try folder.write(String(repeating: "<array>", count: 10_000), to: "M.xcdatamodeld/.xccurrentversion")
    #expect(error(path).contains("the file has 70000 bytes"))
    #expect(try ModelDocument(path: path, version: "A").version == "A")
  }

  @Test func `a damaged or old version does not prevent the reading of another`() throws {
    let path = try bundle(["A", "B"], current: named("A.xcdatamodel"))
    try FileManager.default.removeItem(atPath: path + "/B.xcdatamodel/contents")
    try folder.write("", to: "M.xcdatamodeld/B.xcdatamodel/elements")
    #expect(try ModelDocument(path: path).versions == ["A", "B"])
    #expect(error(path, version: "B").contains("the binary format from before Xcode 4"))
  }

  // MARK: Forms

  @Test func `a version's folder and a contents file are models too`() throws {
    let path = try bundle(["A", "B"], current: named("A.xcdatamodel"))
    for path in [path + "/B.xcdatamodel", path + "/B.xcdatamodel/", path + "/B.xcdatamodel/contents"] {
      let document = try ModelDocument(path: path)
      #expect(document.versions == ["B"] && document.version == "B" && document.entities.map(\.name) == ["B"])
    }
    let file = try folder.write("<model/>", to: "model.xml")
    #expect(try ModelDocument(path: file).version == "model.xml")
  }

  @Test func `contents come before the files of the old format`() throws {
    let path = try bundle(["A"])
    try folder.write("", to: "M.xcdatamodeld/A.xcdatamodel/elements")
    try folder.write("", to: "M.xcdatamodeld/A.xcdatamodel/layout")
    #expect(try ModelDocument(path: path).entities.count == 1)
  }

  @Test func `binary and compiled models say what to do`() throws {
    func make(_ name: String) throws {
      try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
    try make("Old.xcdatamodel")
    try folder.write("", to: "Old.xcdatamodel/elements")
    try folder.write("", to: "Old.xcdatamodel/layout")
    let old = "the model is in the binary format from before Xcode 4; open it in Xcode 4 or newer and save it"
    #expect(error(folder.path + "/Old.xcdatamodel") == "Old.xcdatamodel: \(old)")
    let archive = try folder.write("bplist00", to: "Older.xcdatamodel")
    #expect(error(archive) == "Older.xcdatamodel: \(old)")
    try make("M.momd")
    let compiled = "the model is compiled; use its source, the .xcdatamodeld folder"
    #expect(error(folder.path + "/M.momd") == "M.momd: \(compiled)")
    #expect(error(try folder.write("bplist00", to: "M.mom")) == "M.mom: \(compiled)")
  }

  @Test func `a folder that is no model says what is missing`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/E.xcdatamodeld/X.xcdatamodel", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path + "/F.xcdatamodeld", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path + "/G", withIntermediateDirectories: true)
    #expect(
      error(folder.path + "/E.xcdatamodeld")
        == "E.xcdatamodeld/X.xcdatamodel: the folder has no contents file; a .xcdatamodel folder contains one")
    #expect(
      error(folder.path + "/F.xcdatamodeld")
        == "F.xcdatamodeld: the folder has no version; a .xcdatamodeld folder contains .xcdatamodel folders")
    #expect(error(folder.path + "/G").hasPrefix("G: the folder is no data model; use a .xcdatamodeld or .xcdatamodel"))
    #expect(error(folder.path + "/H") == "H: there is no such file or folder")
    #expect(error("") == ": there is no such file or folder")
  }

  // MARK: Hostile files

  @Test func `a pipe and a device are refused at once`() throws {
    let path = try bundle(["A"])
    try FileManager.default.removeItem(atPath: path + "/A.xcdatamodel/contents")
    #expect(mkfifo(path + "/A.xcdatamodel/contents", 0o600) == 0)
    #expect(
      error(path) == "M.xcdatamodeld/A.xcdatamodel/contents: it is a pipe; a model is read from a file")
    #expect(error("/dev/zero") == "/dev/zero: it is a device; a model is read from a file")
  }

  @Test func `a file above 16 MB is refused by its size`() throws {
    let path = try folder.write("", to: "large")
    #expect(truncate(path, 16_000_001) == 0)
    #expect(error(path) == "large: the file has 16000001 bytes; a model has at most 16000000")
    #expect(truncate(path, 16_000_000) == 0)
    #expect(!error(path).contains("at most"))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read every file"))
  func `a file without the permission to read it says so`() throws {
    let file = try folder.write("<model/>", to: "locked")
    #expect(chmod(file, 0) == 0)
    #expect(error(file) == "locked: the permission to read it is missing")
  }

  @Test func `a link that leads out of the bundle is refused, and one within it is followed`() throws {
    let path = try bundle(["A", "B"], current: named("A.xcdatamodel"))
    let secret = try folder.write("<model><entity name=\"Secret\"/></model>", to: "secret")
    let contents = path + "/A.xcdatamodel/contents"
    try FileManager.default.removeItem(atPath: contents)
    try FileManager.default.createSymbolicLink(atPath: contents, withDestinationPath: secret)
    #expect(error(path).contains("contents: a link leads out of"))
    #expect(error(path + "/A.xcdatamodel").contains("contents: a link leads out of"))
    try FileManager.default.removeItem(atPath: contents)
    try FileManager.default.createSymbolicLink(atPath: contents, withDestinationPath: "../B.xcdatamodel/contents")
    #expect(try ModelDocument(path: path).entities.map(\.name) == ["B"])
    try FileManager.default.removeItem(atPath: contents)
    try FileManager.default.createSymbolicLink(atPath: contents, withDestinationPath: "contents")
    #expect(error(path).hasSuffix("contents: its links lead in a circle"))
    try FileManager.default.createSymbolicLink(
      atPath: path + "/C.xcdatamodel", withDestinationPath: folder.path)
    #expect(error(path, version: "C").contains("C.xcdatamodel: a link leads out of"))
    // The given path itself may be a link.
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/Link", withDestinationPath: path)
    #expect(try ModelDocument(path: folder.path + "/Link", version: "B").version == "B")
  }
}
