import Foundation
import Glibc
import MachineCore
import Testing

@testable import TrialProcesses

/// Workers that are shell scripts: the processes that tasks share, and the effects of the end of one.
@Suite struct WorkerTests {
  /// A task that may share its process with others if its plan has a folder.
  private enum ScriptTask: ChildTask {
    static let name = "script-task"

    struct Plan: Codable, Sendable {
      var folder: String?
    }

    static func answer(_ plan: Plan) throws -> Int { 0 }
    static func sharedFolder(_ plan: Plan) -> String? { plan.folder }
  }

  private let scratch: ScratchFolder
  private let folder: String

  init() throws {
    scratch = try ScratchFolder(in: FileManager.default.temporaryDirectory.path)
    folder = try scratch.makeFolder("task")
  }

  /// Calls a closure with children that run the commands of a script for each plan, and removes all files.
  ///
  /// The commands may use `$log`, a file, and the functions `answer` and `fail`. `$folder` is the folder of the tasks.
  private func withChildren(running commands: String, _ body: (Children) async throws -> Void) async throws {
    let text = """
      log='\(scratch.path)/log'; folder='\(folder)'
      answer() { echo "{\\"answer\\":$1,\\"keepsProcess\\":true}"; }
      fail() { echo '{"failure":{"kind":64,"parts":[{"text":{"_0":"no"}}]},"keepsProcess":false}'; }
      while read -r plan; do
        echo "$$ $1" >> "$log"
        \(commands)
      done
      """
    let script = "\(scratch.path)/script"
    try Data(text.utf8).write(to: URL(fileURLWithPath: script))
    let workers = Workers(executable: "/bin/sh", arguments: [script])
    defer {
      workers.end()
      scratch.remove()
    }
    try await body(Children(scratch: scratch, workers: workers))
  }

  private func answer(_ children: Children, isShared: Bool = true, _ environment: [String: String?] = [:]) async throws
    -> Int
  {
    try await children.answer(
      of: ScriptTask.self, to: ScriptTask.Plan(folder: isShared ? folder : nil), timeLimit: nil,
      environment: environment)
  }

  /// The processes that have received a plan, and the names of their tasks.
  private var log: [String] {
    get throws {
      try String(contentsOfFile: "\(scratch.path)/log", encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }

  @Test func `one process does several tasks, and lives until all workers end`() async throws {
    var process = 0
    try await withChildren(running: "answer $$") { (children) async throws in
      process = try await answer(children)
      #expect(try await answer(children) == process)
      #expect(kill(pid_t(process), 0) == 0)
    }
    #expect(kill(pid_t(process), 0) == -1)
  }

  @Test func `a task with a process or an environment of its own shares neither`() async throws {
    try await withChildren(running: "answer $$") { (children) async throws in
      let shared = try await answer(children)
      let own = try await answer(children, isShared: false)
      let other = try await answer(children, ["SIDE": "left"])
      #expect(Set([shared, own, other]).count == 3)
      #expect(kill(pid_t(own), 0) == -1 && kill(pid_t(other), 0) == -1)
      #expect(try await answer(children) == shared)
    }
  }

  @Test func `a process gets the variables of its environment`() async throws {
    try await withChildren(running: "answer ${#SIDE}0${#HOME}") { (children) async throws in
      #expect(try await answer(children, ["SIDE": "left", "HOME": nil]) == 400)
    }
  }

  @Test func `a failure keeps its kind and ends the process`() async throws {
    try await withChildren(
      running: #"if [ -e "$folder/failed" ]; then answer 1; else touch "$folder/failed"; fail; fi"#
    ) { (children) async throws in
      await #expect(throws: RunFailure.usage("no")) { try await answer(children) }
      #expect(try await answer(children) == 1)
      #expect(try Set(log).count == 2)
    }
  }

  @Test func `the task of a process that dies runs again, in an empty folder and a new process`() async throws {
    let commands = """
      if [ $(wc -l < "$log") = 2 ]; then touch "$folder/left"; kill -9 $$; fi
      answer $(ls "$folder" | wc -l)
      """
    try await withChildren(running: commands) { (children) async throws in
      #expect(try await answer(children) == 0)
      #expect(try await answer(children) == 0)
      let log = try log
      #expect(log.count == 3 && log[0] == log[1] && log[1] != log[2])
      #expect(try await answer(children) == 0)
    }
  }

  @Test func `a task whose process dies twice has failed`() async throws {
    try await withChildren(running: "echo so it is >&2; kill -9 $$") { (children) async throws in
      await #expect(throws: RunFailure.failed("was ended by signal 9 (Killed): so it is")) {
        try await answer(children)
      }
      #expect(try log.count == 2)
    }
  }

  @Test func `a task with a process of its own does not run again`() async throws {
    try await withChildren(running: "kill -9 $$") { (children) async throws in
      await #expect(throws: RunFailure.failed("was ended by signal 9 (Killed)")) {
        try await answer(children, isShared: false)
      }
      try await children.runUntilKilled(ScriptTask.self, plan: ScriptTask.Plan(), timeLimit: nil)
      #expect(try log.count == 2)
    }
  }

  @Test func `misuse fails at once with its sentence`() async throws {
    try await withChildren(running: "echo 'file:1: Fatal error: a sentence' >&2; kill -ABRT $$") {
      (children) async throws in
      let sentence = try await children.crash(of: ScriptTask.self, ScriptTask.Plan(folder: folder), timeLimit: nil)
      #expect(sentence == "a sentence")
      #expect(try log.count == 1)
    }
  }

  @Test func `used-up processor time fails at once`() async throws {
    try await withChildren(running: "kill -XCPU $$") { (children) async throws in
      let failure = await #expect(throws: RunFailure.self) { try await answer(children) }
      #expect(failure?.description == "used up its processor time; use timeLimit if it only needs more")
      #expect(try log.count == 1)
    }
  }

  @Test func `the complaint of a process is about its last task`() async throws {
    try await withChildren(running: #"if [ $(wc -l < "$log") = 1 ]; then echo old >&2; answer 1; else exit 3; fi"#) {
      (children) async throws in
      #expect(try await answer(children) == 1)
      await #expect(throws: RunFailure.failed("ended with status 3 and no message")) { try await answer(children) }
    }
  }

  @Test func `a process over its time limit is killed`() async throws {
    try await withChildren(running: "exec tail -f /dev/null") { (children) async throws in
      let failure = await #expect(throws: RunFailure.self) {
        try await children.answer(
          of: ScriptTask.self, to: ScriptTask.Plan(folder: folder), timeLimit: .milliseconds(1))
      }
      #expect(failure?.description == "was killed after 0 s; use timeLimit if it only needs longer")
    }
  }

  @Test func `a cancelled task kills its process`() async throws {
    try await withChildren(running: "exec tail -f /dev/null") { (children) async throws in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await #expect(throws: CancellationError.self) {
            try await children.answer(of: ScriptTask.self, to: ScriptTask.Plan(folder: folder), timeLimit: nil)
          }
        }
        group.cancelAll()
      }
    }
  }

  @Test func `a program that does not exist cannot be started`() async throws {
    let children = Children(scratch: scratch, workers: Workers(executable: "/nowhere/program"))
    defer { scratch.remove() }
    await #expect(throws: RunFailure.failed("cannot be started: No such file or directory")) {
      try await answer(children)
    }
  }

  @Test func `each task of a process has the whole processor time`() {
    var before = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_CPU.rawValue)
    getrlimit(resource, &before)
    defer { setrlimit(resource, &before) }
    func limit(_ seconds: Int64) -> Int {
      ProcessorTime.limit(to: .seconds(seconds))
      var limit = rlimit()
      getrlimit(resource, &limit)
      return Int(limit.rlim_cur)
    }
    let (first, second, third) = (limit(1_000), limit(100_000), limit(1_000))
    #expect(first > 1_000 && second >= first + 99_000 && third >= first && third < second)
  }
}
