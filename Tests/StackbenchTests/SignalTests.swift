import Foundation
import Subprocess
import TestSupport
import Testing

/// Signals and missing threads at chosen instants of the program's start. Strace chooses them, so that no test depends
/// on the computer's speed.
@Suite struct SignalTests {
  private let folder: TemporaryFolder

  private static let hasStrace = ["/usr/bin/strace", "/usr/local/bin/strace"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  private static let reason: Comment = "strace is missing; 'sh .ci/set-up strace' installs it"
  private static let line = "error: interrupted; no result was written"

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns the command of a run. A run without draws takes a fraction of a second, and one with 100 never ends before
  /// it has obeyed a signal.
  private func command(draws: Int) -> [String] {
    [
      Program.path, "run", "--machine", "simulated", "--draws", "\(draws)", "--topology", "all-main", "--rows", "50",
      "--existing-rows", "0", "--quiet", "--output", "\(folder.path)/results",
    ]
  }

  private func trace(_ flags: [String], draws: Int = 0) async throws -> (outcome: Program.Outcome, lines: [String]) {
    let log = "\(folder.path)/calls.txt"
    let outcome = try await Program.run(.name("strace"), ["-o", log] + flags + command(draws: draws))
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    return (outcome, lines)
  }

  @Test(arguments: ["INT", "TERM", "HUP"])
  func `a signal that waits when the program starts ends it with status 130`(name: String) async throws {
    let script = "kill -\(name) $$; exec \"$@\""
    let outcome = try await Program.run(
      .name("env"), ["--block-signal=\(name)", "sh", "-c", script, "sh"] + command(draws: 100))
    #expect(outcome.status == 130)
    #expect(outcome.errors == [Self.line])
    #expect(folder.contents(of: "results") == nil)
  }

  @Test(.enabled(if: hasStrace, reason))
  func `a signal at any system call of the start ends the program with status 130`() async throws {
    let calls = try await trace([]).lines
    #expect(folder.contents(of: "results")?.isEmpty == false)
    try FileManager.default.removeItem(atPath: "\(folder.path)/results")
    let handling = "rt_sigaction(SIGINT, "
    let first = try #require(calls.firstIndex { $0.hasPrefix(handling) })
    // The first thread starts the task last. Then it only waits.
    let last = try #require(calls.lastIndex { $0.wholeMatch(of: /clone3?\(.*/) != nil })
    #expect(last - first > 40)
    // The number of these calls depends on the speed of other threads, so the same call may come after the start.
    let timedCalls = ["futex", "madvise"]
    var counts: [Substring: Int] = [:]
    for (index, call) in calls[...last].enumerated() {
      let name = call.prefix { $0 != "(" }
      counts[name, default: 0] += 1
      // One call before the program's first statement is enough.
      guard index >= first - 1, !timedCalls.contains(String(name)) else { continue }
      let place = "\(name):signal=INT:when=\(counts[name] ?? 0)"
      let (outcome, lines) = try await trace(["-e", "inject=\(place)"], draws: 100)
      let before = lines.prefix { !$0.hasPrefix("--- SIGINT ") }
      if before.contains(where: { $0.hasPrefix(handling) }) {
        #expect(outcome.status == 130 && outcome.errors == [Self.line], "\(place): \(outcome)")
      } else {
        #expect(outcome.status == -2 && outcome.errors.isEmpty, "\(place): \(outcome)")
      }
      #expect(folder.contents(of: ".") == ["calls.txt"], "\(place)")
      try? FileManager.default.removeItem(atPath: "\(folder.path)/results")
    }
  }

  @Test(.enabled(if: hasStrace, reason))
  func `a thread or a process that cannot start ends the program with one line`() async throws {
    var count = 0
    while true {
      // The call with this number fails in each thread, also in those of child processes.
      count += 1
      let (outcome, _) = try await trace(["-f", "-e", "inject=clone,clone3:error=EAGAIN:when=\(count)"])
      if outcome.status == 0 { break }
      #expect(outcome.status == 1, "\(count)")
      #expect(outcome.errors.count == 1, "\(count): \(outcome.errors)")
      #expect(outcome.errors.first?.hasPrefix("error: no further thread or process may start; raise ") == true)
      #expect(folder.contents(of: ".") == ["calls.txt"], "\(count)")
    }
    #expect(count > 4)
  }
}
