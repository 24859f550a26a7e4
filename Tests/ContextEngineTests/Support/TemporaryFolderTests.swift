import Foundation
import MachineCore
import TestSupport
import Testing

/// Tests of temporary folders and their deletion.
@Suite struct TemporaryFolderTests {
  @Test func `a temporary folder is deleted with its last reference`() throws {
    let path: String
    do {
      let folder = try TemporaryFolder()
      path = folder.url.path
      #expect(FileManager.default.fileExists(atPath: path))
      withExtendedLifetime(folder) {}
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `contents lists written files, including hidden ones`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.contents(of: ".") == [])
    let path = try folder.write("text", to: "b")
    try folder.write("", to: ".a")
    #expect(folder.contents(of: ".") == [".a", "b"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
    #expect(folder.contents(of: "none") == nil)
  }

  @Test func `an attached object is created once and released with its folder`() throws {
    weak var released: Journal<Int>?
    do {
      let folder = try TemporaryFolder()
      let first = folder.attached { Journal<Int>() }
      #expect(folder.attached { Journal<Int>() } === first)
      released = first
      withExtendedLifetime(folder) {}
    }
    #expect(released == nil)
  }

  @Test func `the folder of a crashed child process lies in its parent's scratch folder`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      trapMisuse("it is \(folder.url.path), of \(ScratchFolder.url.path)")
    }
    try expectSentence("it is \(ScratchFolder.url.path)/", from: result)
    try expectSentence(", of \(ScratchFolder.url.path)", from: result)
  }
}
