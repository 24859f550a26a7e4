import Foundation
import MachineCore
import TestSupport
import Testing

/// What tests leave behind: nothing.
@Suite struct TemporaryFolderTests {
  @Test func `a folder goes with its last reference`() throws {
    let path: String
    do {
      let folder = try TemporaryFolder()
      path = folder.url.path
      #expect(FileManager.default.fileExists(atPath: path))
      withExtendedLifetime(folder) {}
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a file that is written is in the folder, hidden or not`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.contents(of: ".") == [])
    let path = try folder.write("text", to: "b")
    try folder.write("", to: ".a")
    #expect(folder.contents(of: ".") == [".a", "b"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
    #expect(folder.contents(of: "none") == nil)
  }

  @Test func `an object that is attached to a folder is made once, and released with it`() throws {
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

  @Test func `what a process leaves that stops is in the folder of the one that started it`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      trapMisuse("it is \(folder.url.path), of \(ScratchFolder.url.path)")
    }
    try expectSentence("it is \(ScratchFolder.url.path)/", from: result)
    try expectSentence(", of \(ScratchFolder.url.path)", from: result)
  }
}
