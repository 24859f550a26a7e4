import Foundation
import Glibc
import OutputFiles
import TestSupport
import Testing
import TrialProcesses

@Suite struct InspectedKindTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [
    ("[{\"id\":1}]", InspectedKind.feed), ("\u{feff} {\"a\":1}", .feed), ("\n\n{}", .feed), ("\"text\"", .feed),
    ("<?xml version=\"1.0\"?><model/>", .model), ("  <model/>", .model), ("bplist00abc", .model),
    ("SQLite format 3\u{0}", .store),
  ])
  func `the contents decide the kind and the name does not`(text: String, kind: InspectedKind) throws {
    for name in ["a.json", "a.sqlite", "contents", "a"] {
      #expect(try InspectedKind(of: folder.write(text, to: name)) == kind, "\(name)")
    }
  }

  @Test func `text in UTF-16 has the kind of its first character`() throws {
    for (text, kind) in [("[1]", InspectedKind.feed), ("<model/>", .model)] {
      for encoding in [String.Encoding.utf16, .utf16BigEndian] {
        var data = try #require(text.data(using: encoding))
        if encoding == .utf16BigEndian { data = Data([0xfe, 0xff]) + data }
        let file = folder.url.appendingPathComponent("wide")
        try data.write(to: file)
        #expect(try InspectedKind(of: file.path) == kind)
      }
    }
  }

  @Test(arguments: [
    ("Model.xcdatamodeld", "Model.xcdatamodel"), ("folder", "A.xcdatamodel"), ("Model.xcdatamodel", "nothing"),
    ("folder", "contents"), ("folder", ".xccurrentversion"),
  ])
  func `a folder with the parts of a model is a model`(name: String, entry: String) throws {
    let path = folder.path + "/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try folder.write("", to: "\(name)/\(entry)")
    #expect(try InspectedKind(of: path) == .model)
  }

  @Test func `other files and folders are named with what can be inspected`() throws {
    #expect(message(folder.path)?.hasPrefix("is a folder without a model") == true)
    #expect(message(try folder.write("", to: "empty"))?.hasPrefix("is empty") == true)
    #expect(message(try folder.write("Dear reader", to: "a.txt"))?.contains("begins with \"Dear reader\"") == true)
    #expect(message(try folder.write("a\u{0}b", to: "a.bin"))?.hasPrefix("is a file of an unknown kind") == true)
    #expect(message(try folder.write("a\u{0}b", to: "a.sqlite"))?.contains("encrypted") == true)
    #expect(message(folder.path + "/absent") == "cannot be read: No such file or directory")
    #expect(try InspectedKind(of: folder.write("Dear reader", to: "a.json")) == .feed)
  }

  @Test(arguments: ["<!DOCTYPE html><html></html>", "\n <HTML lang=\"en\">", "\u{feff}<!doctype html>"])
  func `a web page is not taken for a model`(text: String) throws {
    #expect(message(try folder.write(text, to: "feed.json"))?.hasPrefix("is an HTML page") == true)
  }

  @Test func `a FIFO does not block`() throws {
    let path = folder.path + "/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    #expect(message(path) == "is a FIFO; use a file")
  }

  private func message(_ path: String) -> String? {
    FileError.of({ _ = try InspectedKind(of: path) })?.message
  }
}
