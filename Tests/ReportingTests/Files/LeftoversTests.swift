import Foundation
import Reporting
import TestSupport
import Testing

@Suite struct LeftoversTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a process that ends early removes all but its results`() async throws {
    await #expect(processExitsWith: .exitCode(7)) { [path = folder.path as String] in
      let result = try AtomicFile(staging: Data("a".utf8), for: "\(path)/result")
      try result.commit()
      #expect(Leftovers.makeFolders("\(path)/new/inner"))
      let staged = try AtomicFile(staging: Data("b".utf8), for: "\(path)/new/staged")
      Leftovers.make(.folder) { mkdir("\(path)/new/scratch", S_IRWXU) == 0 ? "\(path)/new/scratch" : nil }
      try Data("c".utf8).write(to: URL(fileURLWithPath: "\(path)/new/scratch/store"))
      withExtendedLifetime(staged) { Leftovers.removeAll { _exit(7) } }
    }
    #expect(folder.contents(of: ".") == ["result"])
  }

  @Test func `a folder that a process has made stays at an early end if it has a result`() async throws {
    await #expect(processExitsWith: .exitCode(7)) { [path = folder.path as String] in
      #expect(Leftovers.makeFolders("\(path)/new/inner"))
      try AtomicFile.write(Data("a".utf8), to: "\(path)/new/result")
      Leftovers.removeAll { _exit(7) }
    }
    #expect(folder.contents(of: "new") == ["result"])
  }
}
