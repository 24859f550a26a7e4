import Topologies
import Workloads

/// The end of the file: the records, and an example that uses the stack.
extension WiringCode {
  var recordMembers: [String] { RecordCode(schema: schema, hasDeletions: hasDeletions).members }

  /// The entity that the example shows: the first one with links, or the first one if no entity has links.
  private var shownEntity: WorkloadSchema.Entity {
    schema.entities.first { !$0.links.isEmpty } ?? schema.entities[0]
  }

  /// The name of the list of the shown entity, such as `products` for `Product`.
  private var rows: String {
    shownEntity.name.prefix(1).lowercased() + shownEntity.name.dropFirst() + "s"
  }

  private var modelName: String { schema.entities.count == 1 ? shownEntity.name : "Catalog" }

  private var sorting: String {
    "[NSSortDescriptor(key: \"\(shownEntity.sortAttributes[0].name)\", ascending: true)]"
  }

  private var importing: String {
    let call = "try await stack.importPayload(payload\(importTakesLane ? ", lane: 0" : ""))"
    guard topology.importsAtOnce else { return call }
    return """
      try await withThrowingTaskGroup(of: Void.self) { group in
        for payload in payloads { group.addTask { \(call) } }
        try await group.waitForAll()
      }
      """
  }

  /// The first parameter of the example.
  private var payloads: String { topology.importsAtOnce ? "payloads: [Data]" : "payload: Data" }

  /// Returns the statements that edit the first row of a list and save it, or nothing if the user edits no rows of the
  /// entity.
  private func edit(_ list: String, saving: String) -> [String] {
    guard let edited = shownEntity.editedAttribute?.name else { return [] }
    return [
      """
      if let first = \(list).fetchedObjects?.first {
        first.setValue("Seen", forKey: "\(edited)")
        try stack.\(saving)
      }
      """
    ]
  }

  var example: String {
    refetches ? screenExample : listExample
  }

  private func printing(_ list: String) -> String {
    "for row in \(list).fetchedObjects ?? [] { print(row.value(forKey: \"\(shownEntity.sortAttributes[0].name)\") ?? \"\") }"
  }

  private var endsImport: [String] {
    guard putsOffRootSaves else { return [] }
    switch options.storeSave {
    case .idle, .atEnd: return ["await stack.importEnded()"]
    case .immediate, .every: return []
    }
  }

  private var listExample: String {
    let statements =
      [
        "let stack = try await \(className).open(named: \"\(modelName)\")",
        "let \(rows) = try stack.makeList(\n  of: \"\(shownEntity.name)\", sortedBy: \(sorting), delegate: screen)",
        importing,
      ] + endsImport + [
        "// From now on, the delegate follows the list. This loop prints the rows once.", printing(rows),
      ] + edit(rows, saving: "saveEdits()")
    return """
      /// Imports \(topology.importsAtOnce ? "payloads" : "a payload"), shows a list, edits its first row and saves. An \
      app keeps the stack and the list.
      static func example(\(payloads), screen: any NSFetchedResultsControllerDelegate) async throws {
      \(Self.indented(statements.joined(separator: "\n")))
      }
      """
  }

  private var screenExample: String {
    let shown = shownEntity.shownAttributes.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let showing = showsGivenProperties ? ",\n  showing: [\(shown)]" : ""
    let saving = hasContextPerScreen ? "saveEdits(on: \(rows))" : "saveEdits()"
    let list = "\(rows).list?"
    let statements =
      [
        "let stack = try await \(className).open(named: \"\(modelName)\")",
        "let \(rows) = try stack.makeScreen(\n  of: \"\(shownEntity.name)\", sortedBy: \(sorting)\(showing))",
        """
        \(rows).reload = { [weak \(rows)] in
          \(printing("\(rows)?.list?"))
        }
        """,
        importing,
      ] + edit(list, saving: saving)
    return """
      /// Imports a payload, shows a list, edits its first row and saves. An app keeps the stack and the screen.
      static func example(\(payloads)) async throws {
      \(Self.indented(statements.joined(separator: "\n")))
      }
      """
  }
}
