import Experiments
import Foundation
import MachineCore
import Reporting
import Testing
import Topologies

/// Wirings printed as code for the real framework.
@Suite struct WiringCodeTests {
  private func code(
    _ name: String, as form: PrintedForm = .plain, changing change: (inout WiringCodeOptions) -> Void = { _ in }
  ) throws -> String {
    PrintedStack.code(of: try #require(Topology.named(name)), as: form, changing: change)
  }

  /// A stack, a change of its settings, and a piece of code that they print and that others do not.
  struct Piece: Sendable, CustomTestStringConvertible {
    var stack: String
    var text: String
    var change: @Sendable (inout WiringCodeOptions) -> Void

    init(_ stack: String, _ text: String, _ change: @escaping @Sendable (inout WiringCodeOptions) -> Void = { _ in }) {
      self.stack = stack
      self.text = text
      self.change = change
    }

    var testDescription: String { "\(stack): \(text)" }
  }

  static let pieces = [
    Piece("worker-merge", "for record in unit {\n      let found = try objects(for: [record.key] + ") {
      $0.run.lookup = .record
    },
    Piece("worker-merge", "let targets = unit.flatMap { $0.links.values") {
      $0.run.lookup = .none
      $0.hasDeletions = false
    },
    Piece("reversed-parent", "main.automaticallyMergesChangesFromParent = true"),
    Piece("reversed-parent/child", "main.automaticallyMergesChangesFromParent = true"),
    Piece("reversed-parent/restkit", "Self.fireUpdated(in: save, for: main)"),
    Piece("reversed-parent/root", "try? await Task.sleep(for: .nanoseconds(1500000))") {
      $0.run.storeSave = .every(TimeSpan(nanoseconds: 1_500_000))
    },
    Piece("reversed-parent/child", "if hasImportEnded { save() }") { $0.run.storeSave = .atEnd },
    Piece("all-main", "let records = try await main.perform(schedule: .enqueued) { try Self.decode(data) }"),
    Piece("worker-merge", "let records = try await worker.perform { try Self.decode(data) }") {
      $0.run.decode = .import
    },
    Piece("three-tier", "try context.obtainPermanentIDs(for: Array(context.insertedObjects))"),
    Piece("reversed-parent", "try main.obtainPermanentIDs(for: Array(main.insertedObjects))"),
  ]

  @Test(arguments: pieces)
  func `a setting or a variant changes the code`(piece: Piece) throws {
    #expect(try code(piece.stack, changing: piece.change).contains(piece.text))
    #expect(try !code("child-of-main").contains(piece.text))
  }

  @Test(arguments: [
    ("worker-merge", "Self.measure(\"merge\") { main.mergeChanges(fromContextDidSave: save) }"),
    ("worker-merge/automatic", "Self.signposter.emitEvent(\"merge\")"),
  ])
  func `signposts mark merges`(stack: String, text: String) throws {
    #expect(try code(stack, as: .withSignposts).contains(text))
    #expect(try !code("child-of-main", as: .withSignposts).contains(text))
  }

  /// Pieces of code by which each relative differs from the other stacks.
  static let relativePieces: [(stack: String, text: String)] = [
    ("confinement", "Swift cannot name that concurrency type."),
    ("confinement", "    mergeSaves(of: context)\n    return context"),
    ("two-coordinators", "worker.persistentStoreCoordinator = importCoordinator"),
    ("two-coordinators", "forName: .NSPersistentStoreRemoteChange"),
    ("two-coordinators", "lastToken = transactions.last?.token ?? lastToken"),
    ("single-background/main-merges", "main.automaticallyMergesChangesFromParent = true\n    background = "),
    ("single-background/background-merges", "background.automaticallyMergesChangesFromParent = true"),
    (
      "background-fan-out",
      "for payload in payloads { group.addTask { try await stack.importPayload(payload) } }"
    ),
    ("master-and-children", "    context.parent = master\n    Self.configure(context, named: \"form\")"),
    ("master-and-children", "func saveEdits(in form: NSManagedObjectContext) throws {"),
    ("main-on-coordinator", "    mergeSaves(of: master, into: main)\n    mergeSaves(of: main, into: master)"),
    ("main-on-coordinator", "    worker.parent = master\n"),
    ("pooled-children", "nonisolated static let poolSize = 3"),
    ("pooled-children", "let worker = await nextWorker()"),
    ("pooled-children", "      worker.retainsRegisteredObjects = true"),
    ("scratch-pad", "    context.parent = main\n    Self.configure(context, named: \"form\")"),
    ("pinned-main", "try? main.setQueryGenerationFrom(.current)"),
  ]

  @Test(arguments: relativePieces)
  func `a relative has what it is about, and other stacks do not`(
    piece: (stack: String, text: String)
  ) throws {
    #expect(try code(piece.stack).contains(piece.text))
    for topology in Topology.all {
      #expect(!PrintedStack.code(of: topology).contains(piece.text), "\(topology.title)")
    }
  }

  @Test(arguments: PrintedForm.allCases)
  func `the defects of a stack are listed in its comments`(form: PrintedForm) throws {
    for topology in Topology.known {
      let text = PrintedStack.code(of: topology, as: form)
      #expect(text.contains("/// Known defects of this stack:\n") == !topology.tolerates.isEmpty)
      if topology.tolerates.contains(.duplicates) {
        #expect(text.contains("/// - Two imports that look for a key at the same time both insert it.\n"))
      }
    }
  }

  @Test func `a variant that does not exist is not named`() throws {
    #expect(try code("worker-merge").contains("as in the variant\n  /// worker-merge/automatic"))
    #expect(try !code("pinned-main").contains("pinned-main/automatic"))
  }

  @Test func `the printed links follow the workload`() throws {
    let catalog = try code("worker-merge")
    let flat = try code("worker-merge") { $0.records = .flat }
    for link in [
      "\"supplier\": supplier.map { Key(entityName: \"Supplier\", id: $0) }", "for (name, target) in record.links",
    ] {
      #expect(catalog.contains(link))
      #expect(!flat.contains(link))
    }
    #expect(flat.contains("static let entityName = \"Item\""))
    // Records of a workload without deletions have no member for them.
    #expect(catalog.contains("var deleted: Bool?"))
    #expect(try !code("worker-merge") { $0.hasDeletions = false }.contains("deleted"))
  }

  @Test(arguments: PrintedStack.printable)
  func `the code obtains permanent IDs if a root saves above the UI context`(topology: Topology) throws {
    let hasRoot = topology.savingRoot != nil
    let text = PrintedStack.code(of: topology)
    #expect(text.contains("try main.obtainPermanentIDs") == hasRoot)
    #expect(text.contains("try context.obtainPermanentIDs") == (topology.id == "three-tier"))
  }

  @Test(arguments: PrintedStack.printable)
  func `every wiring ends with an example of at most ten statements`(topology: Topology) throws {
    let text = PrintedStack.code(of: topology)
    let example = try #require(text.range(of: "  static func example(payload"))
    let body = text[example.lowerBound...].split(separator: "\n").dropFirst().prefix { $0 != "  }" }
    let counted = body.filter { !$0.hasPrefix("    //") && $0.contains { $0.isLetter } }
    #expect(counted.count <= 10)
    for call in [".open(named: \"Catalog\")", "try await stack.importPayload(payload)", "try stack.saveEdits("] {
      #expect(body.contains { $0.contains(call) })
    }
  }

  @Test(arguments: PrintedStack.printable)
  func `signposts keep every other expression of the code`(topology: Topology) throws {
    let plain = PrintedStack.code(of: topology)
    #expect(!plain.contains("ignpost") && !plain.contains("measure("))
    let marked = PrintedStack.code(of: topology, as: .withSignposts)
    #expect(marked.contains("import os\n"))
    #expect(marked.contains("category: \"\(topology.title)\")"))
    for line in plain.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) })
    where line.contains("(") && !line.hasPrefix("//") && !line.hasSuffix("}") {
      // An interval is between a name and the expression of its value.
      let expression = line.split(separator: " = ").last.map(String.init) ?? line
      #expect(marked.contains(expression))
    }
  }

  @Test func `settings at the framework's default are not printed`() throws {
    let text = try code("worker-merge")
    for option in ["setOption", "forPragmaNamed"] { #expect(!text.contains(option)) }
  }

  @Test(arguments: PrintedStack.printable, PrintedForm.allCases)
  func `every wiring lists the use of each context in its comments`(topology: Topology, form: PrintedForm) throws {
    #expect(topology.uses.map(\.purpose) == ContextUse.Purpose.allCases)
    let text = PrintedStack.code(of: topology, as: form)
    // The words are compared, since lines may break anywhere.
    let words = text.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")
    for use in topology.uses {
      let sentence =
        "- \(use.purpose.rawValue): \(use.context). \(use.reason.sentenceCased) (\(use.source))."
      #expect(words.contains(sentence.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")))
    }
    for line in text.split(separator: "\n") { #expect(line.count <= 120) }
  }
}
