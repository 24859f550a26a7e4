import Foundation
import OutputFiles
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

  @Test func `a folder is removed in which another thread still deletes files`() throws {
    let names = (0..<2_000).map { "file\($0)" }
    let path = "\(folder.path)/scratch"
    Leftovers.make(.folder) { mkdir(path, S_IRWXU) == 0 ? path : nil }
    for name in names { try Data().write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY)
    let deleter = DispatchQueue(label: "deleter")
    deleter.async { for name in names { unlinkat(descriptor, name, 0) } }
    Leftovers.remove(path)
    #expect(folder.contents(of: ".") == [])
    deleter.sync { _ = close(descriptor) }
  }
}
