import Foundation
import MachineCore
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

  @Test func `what a process leaves that stops is in the folder of the one that started it`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      trapMisuse("it is \(folder.url.path), of \(ScratchFolder.url.path)")
    }
    try expectSentence("it is \(ScratchFolder.url.path)/", from: result)
    try expectSentence(", of \(ScratchFolder.url.path)", from: result)
  }
}
