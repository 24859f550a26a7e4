import Foundation
import TestSupport
import Testing

@testable import OutputFiles

@Suite struct FileLockTests {
  private let scratch: FilesScratch

  init() throws {
    scratch = try FilesScratch()
  }

  private func isFree(_ path: String) -> Bool {
    if case .locked = FileLock.lock(path) { true } else { false }
  }

  // If the lock were missing, a run that removes abandoned folders could remove one that another run has just locked.
  @Test func `a file is locked until the end of the work on it`() throws {
    try scratch.write("", to: "file")
    let path = scratch.path("file")
    var calls = 0
    FileLock.whileLocked(path) {
      calls += 1
      #expect(!isFree(path))
      // Another attempt neither waits nor runs its work.
      FileLock.whileLocked(path) { calls += 1 }
    }
    #expect(calls == 1)
    #expect(isFree(path))
    FileLock.whileLocked(scratch.path("missing")) { calls += 1 }
    #expect(calls == 1)
  }
}
