import Topologies
import Workloads

/// The end of the file: the records, and an example that uses the stack.
extension WiringCode {
  var recordMembers: [Code] {
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
    guard !records.schema.isModelGiven else { return shownEntity.editedAttribute?.name }
    let keys = shownEntity.keyAttributes.map(\.name)
    let strings = shownEntity.attributes.filter { $0.type == .string && !keys.contains($0.name) }.map(\.name)
    return strings.first { name in !shownEntity.sortAttributes.contains { $0.name == name } } ?? strings.first
  }

  /// The name of the list of the shown entity, such as `products` for `Product`.
  private var rows: String { SwiftNames.property("\(SwiftNames.lowercased(shownEntity.name))s", taken: ["payloads"]) }

  /// The name of the attribute by which the list is sorted.
  private var shownName: String { shownEntity.sortAttributes[0].name }

  private var importing: Code {
    let place = records.areNumbered ? ", from: 0" : ""
    let call: Code = "try await stack.importPayload(payload\(place)\(importTakesLane ? ", lane: 0" : ""))"
    guard topology.importsAtOnce else { return call }
    return """
      try await withThrowingTaskGroup(of: Void.self) { group in
        for payload in payloads { group.addTask { \(call) } }
        try await group.waitForAll()
      }
      """
  }

  /// Returns the statement that prints the rows of a list.
  private func printing(_ list: String) -> Code {
    "for row in \(list).fetchedObjects ?? [] { print(row.value(forKey: \"\(shownName)\") ?? \"\") }"
  }

  var example: Code {
    let refetches = shape.refetches
    let payloads = topology.importsAtOnce ? "payloads" : "a payload"
    let edits = editedAttribute == nil ? " and shows a list" : ", shows a list, edits its first row and saves"
    let argument = refetches ? showing : ", delegate: screen"
    let parameter = refetches ? "" : ", screen: any NSFetchedResultsControllerDelegate"
    return """
      /// Imports \(refetches ? "a payload" : payloads)\(edits). An app keeps the stack and the \
      \(refetches ? "screen" : "list").
      static func example(\(topology.importsAtOnce ? "payloads: [Data]" : "payload: Data")\(parameter)) async throws {
        let stack = try await \(className).open(named: \(SwiftNames.literal(records.modelName)))
        let \(rows) = try stack.\(refetches ? "makeScreen" : "makeList")(
          of: "\(shownEntity.name)", sortedBy: [NSSortDescriptor(key: "\(shownName)", ascending: true)]\(argument))
        \(use)
      }
      """
  }

  /// The statements of the example that follow the making of its list or screen.
  @CodeBuilder private var use: Code {
    if shape.refetches {
      """
      \(rows).reload = { [weak \(rows)] in
        \(printing("\(rows)?.list?"))
      }
      """
    }
    importing
    if announcesEnd && !shape.refetches { "await stack.importEnded()" }
    if !shape.refetches {
      "// From now on, the delegate follows the list. This loop prints the rows once."
      printing(rows)
    }
    // The user edits no rows of some entities.
    if let editedAttribute {
      """
      if let first = \(rows)\(shape.refetches ? ".list?" : "").fetchedObjects?.first {
        first.setValue("Seen", forKey: "\(editedAttribute)")
        try stack.saveEdits(\(shape.hasContextPerScreen ? "on: \(rows)" : ""))
      }
      """
    }
  }

  /// The argument of a screen with the properties that it shows.
  private var showing: String {
    guard showsGivenProperties else { return "" }
    let attributes =
      shownEntity.shownIndexes.map { shownEntity.attributes[$0].name } + [editedAttribute].compactMap(\.self)
    let shown = attributes.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return ",\nshowing: [\(shown.map(SwiftNames.literal).joined(separator: ", "))]"
  }
}
