import Foundation
import Reporting
import Testing
import Topologies

@testable import stackbench

/// Wirings printed as code for the real framework.
@Suite struct WiringCodeTests {
  private func code(_ words: String) throws -> String {
    try TopologiesCommand.parse(words.split(separator: " ").map(String.init) + ["--format", "swift"]).code()
  }

  private func failure(_ words: [String]) -> CommandFailure? {
    #expect(throws: CommandFailure.self) { try TopologiesCommand.parse(words + ["--format", "swift"]).code() }
  }

  @Test(arguments: [
    "worker-merge/notification", "reversed-parent/restkit", "per-view-controller",
    "three-tier --store-save idle:250 --save-every 100 --decode import --fetch-batch-size 0",
  ])
  func `the code of a wiring is as reviewed`(words: String) throws {
    let name = words.split(separator: " ")[0].split(separator: "/").joined(separator: "-")
    let text = try code(words)
    // The snapshot ends with a line break of its own.
    try Snapshot.check(String(text.dropLast()), "wiring-\(name)")
  }

  @Test func `a variant that is not named is the default one`() throws {
    #expect(try code("reversed-parent").contains("final class ReversedParentRootStack {"))
    #expect(try code("all-main").contains("final class AllMainStack {"))
  }

  @Test(arguments: [
    ("worker-merge --save-every 250", "static let recordsPerUnit = 250"),
    ("worker-merge --batch-size 90", "static let recordsPerUnit = 90\n"),
    ("worker-merge --batch-size 90", "static let recordsPerPayload = 90\n"),
    ("worker-merge --merge-policy rollback", "context.mergePolicy = NSMergePolicy.rollback"),
    ("worker-merge --merge-policy error", "error.code == NSManagedObjectMergeError"),
    ("worker-merge --concurrent-imports 3", "static let importCount = 3"),
    ("worker-merge --fetch-batch-size 7", "request.fetchBatchSize = 7"),
    ("worker-merge --properties-to-fetch name,note", "request.propertiesToFetch = [\"name\", \"note\"]"),
    ("worker-merge --connection-pool 1", "setOption(1 as NSNumber, forKey: NSPersistentStoreConnectionPoolMaxSizeKey)"),
    ("worker-merge --journal-mode delete", "setValue(\"delete\" as NSString, forPragmaNamed: \"journal_mode\")"),
    ("worker-merge --synchronous full", "setValue(\"full\" as NSString, forPragmaNamed: \"synchronous\")"),
    ("worker-merge --lookup record", "request.fetchLimit = 1"),
    ("worker-merge --workload flat --mix 100:0:0 --strategy batch-insert", "NSBatchInsertRequest("),
    ("worker-merge/automatic", "main.automaticallyMergesChangesFromParent = true"),
    ("worker-merge/reset", "main.reset()"),
    ("reversed-parent/root --store-save every:1.5", "deadline: .now() + .nanoseconds(1500000)"),
    ("reversed-parent/child --store-save at-end", "if hasImportEnded { save(root) }"),
    ("per-view-controller", "request.propertiesToFetch = shownProperties"),
    ("all-main", "context.perform { [self] in\n      do {\n        let records = try importing.decode(data)"),
  ])
  func `a flag or a variant shows in the code`(words: String, piece: String) throws {
    let text = try code(words)
    #expect(text.contains(piece))
    // Nothing else prints it.
    #expect(try !code("child-of-main").contains(piece))
  }

  @Test func `what is left to the framework is not set`() throws {
    let text = try code("worker-merge")
    for option in ["setOption", "forPragmaNamed"] { #expect(!text.contains(option)) }
  }

  @Test func `the file says which flags of the command made it, and no others`() throws {
    let text = try code("worker-merge --profile iphone-6s --save-every 50 --rows 900")
    #expect(
      text.hasPrefix(
        """
        // worker-merge/notification (#2), printed by:
        //   stackbench topologies worker-merge/notification --format swift --save-every 50

        import CoreData

        """))
  }

  @Test(arguments: Topology.known)
  func `every wiring says which of its contexts is for what`(topology: Topology) throws {
    #expect(topology.uses.map(\.purpose) == ContextUse.Purpose.allCases)
    let text = try code(topology.title)
    // Words, since lines break anywhere.
    let words = text.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")
    for use in topology.uses {
      let sentence =
        "- \(use.purpose.rawValue): \(use.context). \(use.reason.sentenceCased) (\(use.source))."
      #expect(words.contains(sentence.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")))
    }
    for line in text.split(separator: "\n") { #expect(line.count <= 120) }
  }

  @Test func `without an ID, with an unknown one or with flags that do not fit, the code is refused`() {
    #expect(
      failure([])?.message
        == "--format swift: prints one stack; name it, as in topologies worker-merge --format swift")
    #expect(failure(["--save-every", "5"])?.message.hasPrefix("--format swift: prints one stack") == true)
    #expect(failure(["seven"])?.message.hasPrefix("seven: no such stack; use one of all-main, ") == true)
    #expect(
      failure(["all-main", "--topology", "three-tier"])?.message
        == "--topology: the stack is all-main already; leave it out")
    #expect(
      failure(["all-main", "--store-save", "at-end"])?.message.hasPrefix("--store-save at-end: all-main has no root")
        == true)
    #expect(failure(["all-main", "three-tier"])?.message.hasPrefix("unexpected argument 'three-tier'") == true)
    #expect(failure(["all-main", "--save-evry", "5"])?.message.hasPrefix("unknown option '--save-evry'") == true)
    for words in [[], ["seven"], ["all-main", "x"]] { #expect(failure(words)?.status == .badUsage) }
  }

  @Test func `flags of run are refused where they would change nothing`() {
    let failure = #expect(throws: CommandFailure.self) {
      try TopologiesCommand.parse(["all-main", "--save-every", "5"]).text()
    }
    #expect(failure?.message == "--save-every: changes nothing in what is listed; leave it out, or add --format swift")
  }
}
