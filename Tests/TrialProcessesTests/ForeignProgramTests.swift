import Foundation
import TestSupport
import Testing
import TrialProcesses

@Suite struct ForeignProgramTests {
  @Test func `another program blocks no signal and ignores none that this process ignores`() async throws {
    let folder = try TemporaryFolder()
    let action = signal(SIGXFSZ, SIG_IGN)
    defer { signal(SIGXFSZ, action) }
    let ending = try await ForeignProgram("cat", scratch: folder.path).run(["/proc/self/status"])
    let blocked = try #require(ending.output.firstMatch(of: /SigBlk:\s*([0-9a-f]+)/)).1
    let ignored = try #require(ending.output.firstMatch(of: /SigIgn:\s*([0-9a-f]+)/)).1
    #expect(UInt64(blocked, radix: 16) == 0)
    #expect(try #require(UInt64(ignored, radix: 16)) & (1 << (SIGXFSZ - 1)) == 0)
  }
}
