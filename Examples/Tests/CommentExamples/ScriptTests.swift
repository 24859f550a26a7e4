import Foundation
import Testing

/// `.ci/comment-examples` over a source that each test writes.
@Suite struct ScriptTests {
  private let folder: Folder
  private let source: URL

  init() throws {
    folder = try Folder()
    let module = folder.url.appendingPathComponent("Sources/ContextEngine")
    source = module.appendingPathComponent("Types.swift")
    for path in [".ci", "Sources/ContextEngine", "Examples/Tests/CommentExamples"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(path), withIntermediateDirectories: true)
    }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 1...4 { root.deleteLastPathComponent() }
    try FileManager.default.copyItem(
      at: root.appendingPathComponent(".ci/comment-examples"),
      to: folder.url.appendingPathComponent(".ci/comment-examples"))
  }

  @Test func `an example keeps its file, its lines and its columns`() throws {
    let types = Self.types.map { "/// ```swift\n/// let x = 1\n/// ```\npublic struct \($0) {}\n" }
    #expect(try run(types.joined(separator: "\n")) == nil)
    let written = try String(
      contentsOf: folder.url.appendingPathComponent("Examples/Tests/CommentExamples/Examples.swift"), encoding: .utf8)
    #expect(written.components(separatedBy: "@Test").count == Self.types.count + 1)
    #expect(
      written.contains(
        "#sourceLocation(file: \"Sources/ContextEngine/Types.swift\", line: 7)\n    let x = 1\n#sourceLocation()\n"))
  }

  @Test(arguments: Self.types) func `a principal type without an example is an error`(type: String) throws {
    let types = Self.types.map {
      $0 == type ? "/// A type.\nenum \($0) {}\n" : "/// ```swift\n/// let x = 1\n/// ```\n@frozen\nenum \($0) {}\n"
    }
    #expect(
      try run(types.joined())
        == "error: the documentation comment of \(type) has no example; add a ```swift block to it\n")
  }

  @Test(arguments: [
    ("/// ```swift\n/// let x = 1\nenum A {}\n", "the example has no end"),
    ("/// ```swift\n/// ```\nenum A {}\n", "the example is empty"),
    ("/// ```\n/// let x = 1\n/// ```\nenum A {}\n", "the block would not be compiled; begin it with ```swift"),
  ])
  func `a block that would not be compiled is an error`(source: String, error: String) throws {
    #expect(try run(source) == "error: Sources/ContextEngine/Types.swift:1: \(error)\n")
  }

  private static let types = [
    "EntityDescription", "FetchRequest", "FetchedResultsController", "InMemoryStore", "ManagedObject",
    "ManagedObjectContext", "ManagedObjectModel", "MergePolicy", "PersistentHistoryChangeRequest",
    "PersistentStoreCoordinator", "SQLiteStore", "ContextUndoManager",
  ]

  /// Runs the script and returns its error, or nil if it ended with 0.
  private func run(_ text: String) throws -> String? {
    try Data(text.utf8).write(to: source)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", folder.url.appendingPathComponent(".ci/comment-examples").path]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? nil : message
  }
}
