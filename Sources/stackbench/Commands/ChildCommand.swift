import ArgumentParser
import Foundation
import Reporting

/// A hidden command that `run` starts in a process of its own: reads a plan, writes an answer.
protocol ChildCommand: BlockingCommand {
  associatedtype Plan: Codable & Sendable
  associatedtype Answer: Codable & Sendable

  var files: PlanFiles { get }

  /// Does the work on the process's first thread.
  ///
  /// - Throws: `CommandFailure`, whose message the parent passes on.
  func answer(_ plan: Plan) throws -> Answer
}

/// Where a child finds its plan and leaves its answer.
struct PlanFiles: ParsableArguments {
  @Option(help: ArgumentHelp("The plan, as JSON.", valueName: "file"))
  var plan: String

  @Option(help: ArgumentHelp("Where the answer goes, as JSON.", valueName: "file"))
  var output: String
}

extension ChildCommand {
  func runBlocking() throws -> ExitStatus {
    Lifeline.watch()
    let plan = try JSONFile.read(Plan.self, from: files.plan)
    try JSONFile.write(try answer(plan), to: files.output)
    return .success
  }
}

/// Values in files.
enum JSONFile {
  /// - Throws: `CommandFailure` when the file is not there or holds something else.
  static func read<Value: Decodable>(_ type: Value.Type, from path: String) throws -> Value {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure.usage("\(path): cannot be read; use a file that an earlier step wrote")
    }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw CommandFailure.usage("\(path): does not hold a \(type): \(error)")
    }
  }

  /// Writes the file whole, or not at all.
  static func write(_ value: some Encodable, to path: String) throws {
    do {
      try AtomicFile.write(try JSONEncoder().encode(value), to: path)
    } catch {
      throw CommandFailure.unexpected(error)
    }
  }
}
