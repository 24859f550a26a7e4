import CommandShell
import Foundation
import MachineCore
import Reporting
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of the code that `topologies --format swift` prints, and of the flags that it refuses.
@Suite struct TopologiesCommandCodeTests {
  private static let printed = Guarded<[String: String]>([:])

  /// Returns the code for a command line, which is printed once for all tests that read it.
  private func code(_ words: String) throws -> String {
    if let code = Self.printed.withLock({ $0[words] }) { return code }
    let code = try TopologiesCommand.parse(words.split(separator: " ").map(String.init) + ["--format", "swift"]).code()
    Self.printed.withLock { $0[words] = code }
    return code
  }

  private func failure(_ words: [String]) -> RunFailure? {
    do {
      _ = try TopologiesCommand.parse(words + ["--format", "swift"]).code()
      return nil
    } catch {
      return error as? RunFailure ?? CommandLineRun.failure(parsing: error, of: "topologies", Stackbench.self)
    }
  }

  @Test(arguments: [
    "worker-merge/notification", "worker-merge/automatic --signposts", "reversed-parent/restkit",
    "per-view-controller", "three-tier --store-save idle:250 --save-every 100 --decode import --fetch-batch-size 0",
    "all-main --workload flat",
  ])
  func `the code of a wiring is as reviewed`(words: String) throws {
    try Snapshot.check(String(try code(words).dropLast()), "wiring-\(snapshotName(words))")
  }

  /// Returns the name of the snapshot for a command line, which is the title of the topology without slashes.
  private func snapshotName(_ words: String) -> String {
    words.split(separator: " ")[0].split(separator: "/").joined(separator: "-")
  }

  @Test func `the printed pool has the given size`() throws {
    let code = try code("pooled-children --pool-size 5")
    #expect(code.contains("let poolSize = 5") && code.contains("private queue, 5 in a pool"))
  }

  @Test func `a topology without a variant prints its default variant`() throws {
    #expect(try code("reversed-parent").contains("final class ReversedParentRootStack {"))
    #expect(try code("all-main").contains("final class AllMainStack {"))
  }

  /// Flags or variants, each with a piece of code that is printed only with them.
  static let pieces = [
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
    ("worker-merge --workload flat --mix 100:0:0 --strategy batch-insert", "NSBatchInsertRequest("),
    ("worker-merge/automatic", "main.automaticallyMergesChangesFromParent = true"),
    ("worker-merge/reset", "main.reset()"),
    ("per-view-controller", "request.propertiesToFetch = shownProperties"),
  ]

  @Test(arguments: pieces)
  func `a flag or a variant changes the printed code`(flag: (words: String, piece: String)) throws {
    #expect(try code(flag.words).contains(flag.piece))
    // The code of another stack without the flag does not contain the piece.
    #expect(try !code("child-of-main").contains(flag.piece))
  }

  @Test func `the header of the code lists only the flags that change the code`() throws {
    let text = try code("worker-merge --profile iphone-6s --save-every 50 --rows 900")
    #expect(
      text.hasPrefix(
        """
        // worker-merge/notification (#2), printed by:
        //   stackbench topologies worker-merge/notification --format swift --save-every 50
        // For Swift 6.2 (Xcode 26) or later, on iOS 16 or macOS 13 or later.

        import CoreData

        """))
  }

  @Test func `the code is refused without an ID, with an unknown ID or invalid flags`() {
    #expect(
      failure([])?.message
        == "--format swift: prints one stack; name it, as in topologies worker-merge --format swift")
    #expect(failure(["--save-every", "5"])?.message.hasPrefix("--format swift: prints one stack") == true)
    #expect(failure(["seven"])?.message.hasPrefix("seven: not a stack; use one of all-main, ") == true)
    #expect(
      failure(["all-main", "--topology", "three-tier"])?.message
        == "--topology: the stack is all-main already; leave it out")
    #expect(
      failure(["all-main", "--store-save", "at-end"])?.message.hasPrefix("--store-save at-end: all-main has no root")
        == true)
    #expect(failure(["all-main", "three-tier"])?.message.hasPrefix("unexpected argument 'three-tier'") == true)
    #expect(failure(["all-main", "--save-evry", "5"])?.message.hasPrefix("--save-evry: unknown flag; ") == true)
    #expect(failure(["all-main", "--language-mode", "5"])?.message.hasPrefix("--language-mode: unknown flag") == true)
    for words in [[], ["seven"], ["all-main", "x"]] { #expect(failure(words)?.status == .badUsage) }
  }

  @Test func `flags of run are refused for the list of topologies`() {
    let failure = #expect(throws: RunFailure.self) {
      try TopologiesCommand.parse(["all-main", "--save-every", "5"]).text()
    }
    #expect(failure?.message == "--save-every: changes nothing in what is listed; leave it out, or add --format swift")
  }

  @Test func `a flag of the code is refused for other formats`() async throws {
    let outcome = try await Program.run(["topologies", "all-main", "--signposts"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == ["error: --signposts: concerns printed code only; leave it out, or add --format swift"])
    #expect(outcome.output.isEmpty)
  }

  @Test func `the code has the entities of a model, under its name`() throws {
    let folder = try TemporaryFolder()
    let model = "\(folder.path)/Shop.xcdatamodeld/Shop 2.xcdatamodel"
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    try folder.write(
      """
      <model><entity name="Item"><attribute name="name" attributeType="String"/>
        <attribute name="comment" optional="YES" attributeType="String"/>
        <relationship name="maker" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Maker"/></entity>
        <entity name="Maker"><attribute name="name" attributeType="String"/></entity></model>
      """, to: "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents")
    let feed = try folder.write(#"[{"name": "a", "maker": {"name": "b"}}]"#, to: "feed.json")
    let words = ["worker-merge", "--model", "\(folder.path)/Shop.xcdatamodeld"]
    for (flags, part) in [([], "case maker(MakerRecord)"), (["--workload", feed], "var maker: MakerRecord?")] {
      let text = try TopologiesCommand.parse(words + flags + ["--format", "swift"]).code()
      for part in [part, "open(named: \"Shop\")", "entityName: \"Maker\"", "forKey: \"comment\")"] {
        #expect(text.contains(part), "\(part)")
      }
    }
  }

  @Test func `records that the code cannot have are refused`() throws {
    let folder = try TemporaryFolder()
    let dump = try folder.write(#"[{"_id": {"$oid": "5f"}, "n": 1}]"#, to: "dump.json")
    #expect(
      failure(["all-main", "--workload", dump])?.message
        == "--workload dump.json: its records cannot be printed as code: its values are in objects of MongoDB, such as "
        + "{\"$oid\": …}; export it without them")
    let nested = try folder.write(#"[{"id": 1, "parent_id": 1}]"#, to: "nested.json")
    #expect(
      failure(["all-main", "--strategy", "batch-insert", "--workload", nested])?.message
        == "--strategy batch-insert: batch inserts cannot set relationships such as Record.parent; leave it out, or use "
        + "records without relationships")
  }
}
