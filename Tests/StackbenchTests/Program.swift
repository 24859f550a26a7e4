import Dispatch
import Foundation
import Glibc
import Subprocess
import SystemPackage
import TestSupport

/// The built program, which tests run as a user does.
enum Program {
  /// The path of the program, which is in the same folder as the bundle of the tests.
  static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("stackbench").path

  /// The variables of this process except `COLUMNS`, which changes the width of printed tables.
  static let environment = Environment.inherit.updating(["COLUMNS": nil])

  struct Outcome: Sendable {
    /// The exit status, or the negative number of the signal that killed the program.
    var status: Int
    var output: String
    /// The lines on standard error.
    var errors: [String]
  }

  /// Runs the program to its end.
  static func run(_ arguments: [String], environment: Environment = Program.environment) async throws -> Outcome {
    try await run(.path(FilePath(path)), arguments, environment: environment)
  }

  /// Runs the program with a folder as its working folder.
  static func run(_ arguments: [String], in folder: String) async throws -> Outcome {
    try await run(.path("/bin/sh"), ["-c", #"cd "$1" && shift && exec "$@""#, "sh", folder, path] + arguments)
  }

  /// Runs the program with a folder as its working folder and arguments in the form that a shell takes.
  static func shell(_ arguments: String, in folder: String) async throws -> Outcome {
    try await run(.path("/bin/sh"), ["-c", "cd \"$1\" && exec \"$2\" \(arguments)", "sh", folder, path])
  }

  /// Runs the program. The closure runs at the same time and receives the process ID.
  static func run(
    _ arguments: [String], meanwhile: @Sendable (pid_t) async throws -> Void
  ) async throws -> Outcome {
    try await run(.path(FilePath(path)), arguments, meanwhile: meanwhile)
  }

  /// Runs make in the repository, without the flags and variables that an outer make passes on.
  static func make(
    _ arguments: [String], environment: [Environment.Key: String?] = [:]
  ) async throws -> Outcome {
    let variables = try Repository.text("Makefile").split(separator: "\n").compactMap { line in
      line.firstMatch(of: #/^([A-Z_]+) \?=/#).map { String($0.1) }
    }
    let outer = (variables + ["MAKEFLAGS", "MFLAGS", "MAKELEVEL", "COLUMNS"]).map {
      (Environment.Key(stringLiteral: $0), String?.none)
    }
    return try await run(
      .name("make"), ["--no-print-directory", "-C", Repository.root.path] + arguments,
      environment: .inherit.updating(Dictionary(uniqueKeysWithValues: outer).merging(environment) { $1 }))
  }

  /// Runs an executable to its end.
  ///
  /// Tests that block can occupy all threads of Swift's default executor for seconds. The closure must run while the
  /// program runs, so this method uses a separate executor.
  static func run(
    _ executable: Executable, _ arguments: [String], environment: Environment = Program.environment,
    meanwhile: @Sendable (pid_t) async throws -> Void = { _ in }
  ) async throws -> Outcome {
    let result = try await withTaskExecutorPreference(QueueExecutor()) {
      try await Subprocess.run(
        executable, arguments: Arguments(arguments), environment: environment, input: .none,
        output: .string(limit: 1_000_000), error: .string(limit: 1_000_000)
      ) { execution in
        try await meanwhile(execution.processIdentifier.value)
      }
    }
    let errors = result.standardError.split(separator: "\n").map(String.init)
    switch result.terminationStatus {
    case .exited(let status):
      return Outcome(status: Int(status), output: result.standardOutput, errors: errors)
    case .signaled(let number):
      return Outcome(status: -Int(number), output: result.standardOutput, errors: errors)
    }
  }
}

/// Runs tasks one after another on a dispatch queue.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "program")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// The running processes, which are read from `/proc`.
enum Processes {
  /// Waits for a process that `parent` starts with the hidden command `command`, and returns its ID.
  ///
  /// - Throws: `Ended` if the parent ends first.
  static func child(of parent: pid_t, running command: String) async throws -> pid_t {
    try await value(before: parent) {
      ids.first { id in parentID(of: id) == parent && arguments(of: id).dropFirst().first == command }
    }
  }

  /// Waits until the process has ended.
  static func waitForEnd(of process: pid_t) async throws {
    while isRunning(process) { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// Waits until there is a file at `path`.
  ///
  /// - Throws: `Ended` if the process that makes the file ends first.
  static func waitForFile(_ path: String, of process: pid_t) async throws {
    try await value(before: process) { access(path, F_OK) == 0 ? () : nil }
  }

  /// Calls a closure repeatedly until it returns a value.
  private static func value<Value>(before end: pid_t, _ ask: () -> Value?) async throws -> Value {
    while true {
      // The state is read before the call, since a process may leave its answer and end in between.
      let wasRunning = isRunning(end)
      if let value = ask() { return value }
      if !wasRunning { throw Ended(process: end) }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  struct Ended: Error {
    let process: pid_t
  }

  private static func isRunning(_ process: pid_t) -> Bool {
    kill(process, 0) == 0 && state(of: process) != "Z"
  }

  private static var ids: [pid_t] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
  }

  private static func arguments(of process: pid_t) -> [String] {
    let data = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
    return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func parentID(of process: pid_t) -> pid_t? {
    fields(of: process).dropFirst().first.flatMap { pid_t($0) }
  }

  private static func state(of process: pid_t) -> String? {
    fields(of: process).first
  }

  /// Returns the fields of `stat` after the name of the process, which may contain any characters.
  private static func fields(of process: pid_t) -> [String] {
    let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
    let text = String(decoding: data, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return [] }
    return text[text.index(after: end)...].split(separator: " ").map(String.init)
  }
}
