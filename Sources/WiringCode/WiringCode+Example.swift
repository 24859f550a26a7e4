import Topologies
import Workloads

/// The end of the file: the records, and an example that uses the stack.
extension WiringCode {
  var recordMembers: [String] {
    feedCode?.members ?? RecordCode(schema: records.schema, hasDeletions: hasDeletions).members
  }

  /// The entity that the example shows: the one of the feed's own records, or else the first one with links, or the first
  /// one if no entity has links.
  private var shownEntity: WorkloadSchema.Entity {
    let entities = records.schema.entities.filter(\.isImported)
    let own = records.isFromFeed ? records.mapping?.entities.first?.name : nil
    return entities.first { $0.name == own } ?? entities.first { !$0.links.isEmpty } ?? entities[0]
  }

  /// The attribute that the example edits. With a model it is the one that the user edits. Otherwise it is a string of
  /// the records, because no other attributes are known to exist.
  private var editedAttribute: String? {
    guard records.schema.model == nil else { return shownEntity.editedAttribute?.name }
    let keys = shownEntity.keyAttributes.map(\.name)
    let strings = shownEntity.attributes.filter { $0.type == .string && !keys.contains($0.name) }.map(\.name)
    return strings.first { name in !shownEntity.sortAttributes.contains { $0.name == name } } ?? strings.first
  }

  /// The name of the list of the shown entity, such as `products` for `Product`.
  private var rows: String {
    SwiftNames.property(
      shownEntity.name.prefix(1).lowercased() + shownEntity.name.dropFirst() + "s", taken: ["payloads"])
  }

  private var sorting: String {
    "[NSSortDescriptor(key: \"\(shownEntity.sortAttributes[0].name)\", ascending: true)]"
  }

  private var importing: String {
    let place = records.areNumbered ? ", from: 0" : ""
    let call = "try await stack.importPayload(payload\(place)\(importTakesLane ? ", lane: 0" : ""))"
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
    guard let edited = editedAttribute else { return [] }
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

  /// The part of the example's summary that follows the import.
  private var shows: String {
    editedAttribute == nil ? " and shows a list" : ", shows a list, edits its first row and saves"
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
        "let stack = try await \(className).open(named: \(SwiftNames.literal(records.modelName)))",
        "let \(rows) = try stack.makeList(\n  of: \"\(shownEntity.name)\", sortedBy: \(sorting), delegate: screen)",
        importing,
      ] + endsImport + [
        "// From now on, the delegate follows the list. This loop prints the rows once.", printing(rows),
      ] + edit(rows, saving: "saveEdits()")
    return """
      /// Imports \(topology.importsAtOnce ? "payloads" : "a payload")\(shows). An app keeps the stack and the list.
      static func example(\(payloads), screen: any NSFetchedResultsControllerDelegate) async throws {
      \(Self.indented(statements.joined(separator: "\n")))
      }
      """
  }

  private var screenExample: String {
    let attributes =
      shownEntity.shownIndexes.map { shownEntity.attributes[$0].name } + [editedAttribute].compactMap(\.self)
    let shown = attributes.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .map(SwiftNames.literal).joined(separator: ", ")
    let showing = showsGivenProperties ? ",\n  showing: [\(shown)]" : ""
    let saving = hasContextPerScreen ? "saveEdits(on: \(rows))" : "saveEdits()"
    let list = "\(rows).list?"
    let statements =
      [
        "let stack = try await \(className).open(named: \(SwiftNames.literal(records.modelName)))",
        "let \(rows) = try stack.makeScreen(\n  of: \"\(shownEntity.name)\", sortedBy: \(sorting)\(showing))",
        """
        \(rows).reload = { [weak \(rows)] in
          \(printing("\(rows)?.list?"))
        }
        """,
        importing,
      ] + edit(list, saving: saving)
    return """
      /// Imports a payload\(shows). An app keeps the stack and the screen.
      static func example(\(payloads)) async throws {
      \(Self.indented(statements.joined(separator: "\n")))
      }
      """
  }
}
