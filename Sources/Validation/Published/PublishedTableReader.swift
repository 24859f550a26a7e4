import ContextEngine
import Experiments
import Foundation
import Harness
import InputFiles
import MachineSimulated
import Metrics
import Topologies

/// Reads a published table from the text of a YAML file, strictly.
///
///     name: my-phone-inserts
///     title: "10,000 objects, one save"
///     source: {author: me, address: "https://example.org", date: "2026-01-31"}
///     profile: iphone-15-pro
///     entities:
///       Item:
///         attributes:
///           number: {type: integer64, indexed: true}
///           name: {type: string, length: 20}
///     rows:
///       - title: "10,000 objects"
///         topology: worker-merge/none
///         steps:
///           - insert: {entity: Item, count: 10000, save: once}
///         figures:
///           - {clock: wall, milliseconds: 180, role: predicted, source: "a stop watch"}
struct PublishedTableReader {
  private static let keys = [
    "name", "title", "source", "profile", "store", "repetitions", "entities", "rows", "orders",
  ]
  private static let rowKeys = [
    "title", "topology", "savesOn", "profile", "context", "store", "list", "repetitions", "setUp", "steps", "figures",
  ]
  static let countLimit = 10_000_000

  /// The name that errors use for the file.
  let place: String
  /// The names that the table may give as its profile, in addition to the path of a profile's file; nil if the name is
  /// not checked.
  var profiles: [String]?

  /// Returns the table in a text.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the field.
  func table(from text: String) throws(YAMLError) -> PublishedTable {
    let root = try YAMLMapping(text: text, place: place, keys: Self.keys)
    let source = try root.mapping("source", keys: ["author", "address", "date"])
    let entities = root.has("entities") ? try self.entities(root) : []
    let rowMappings = try root.mappings("rows", keys: Self.rowKeys)
    var rows: [PublishedTable.Row] = []
    for mapping in rowMappings {
      let row = try self.row(mapping, root, entities)
      if rows.contains(where: { $0.title == row.title }) {
        throw mapping.error("title", "“\(row.title)” appears twice; use each title once")
      }
      rows.append(row)
    }
    return PublishedTable(
      name: try root.text("name"), title: try root.text("title"),
      source: PublishedTable.Source(
        author: try source.text("author"), address: try source.text("address"), date: try source.text("date")),
      profile: try profile(root), entities: entities, rows: rows,
      orders: root.has("orders") ? try orders(root, rows) : [])
  }

  private func profile(_ root: YAMLMapping) throws(YAMLError) -> String {
    let name = try root.text("profile")
    if let profiles, !profiles.contains(name), !ProfileLibrary.isPath(name) {
      throw root.error(
        "profile", "\(name) is not known; use one of \(profiles.joined(separator: ", ")), or a file ending in .yaml")
    }
    return name
  }
}

// MARK: - Rows

extension PublishedTableReader {
  private func row(
    _ mapping: YAMLMapping, _ root: YAMLMapping, _ entities: [PublishedTable.Entity]
  ) throws(YAMLError) -> PublishedTable.Row {
    let party = mapping.has("context") ? try mapping.choice("context", of: PublishedTable.Party.self) : .importing
    let context = StepContext(entities: entities, party: party)
    var row = PublishedTable.Row(
      title: try mapping.text("title"), topology: try topology(mapping),
      profile: mapping.has("profile") ? try profile(mapping) : nil, store: try store(mapping, root), party: party,
      list: mapping.has("list") ? try list(mapping, entities) : nil,
      repetitions: try repetitions(mapping, root), setUp: [], steps: [], figures: [])
    if mapping.has("setUp") {
      for step in try mapping.mappings("setUp", keys: Self.stepKeys) { row.setUp.append(try self.step(step, context)) }
    }
    let stepMappings = try mapping.mappings("steps", keys: Self.stepKeys)
    for step in stepMappings { row.steps.append(try self.step(step, context)) }
    try check(row, mapping, stepMappings)
    for figure in try mapping.mappings("figures", keys: Self.figureKeys) {
      let read = try self.figure(figure, row.steps)
      if row.figures.contains(where: { $0.name == read.name }) {
        throw figure.error("name", "“\(read.name)” appears twice in its row; use each name once")
      }
      row.figures.append(read)
    }
    return row
  }

  /// Reads the stack of a row: a name, or the path of a topology's file, relative to the table's.
  private func topology(_ row: YAMLMapping) throws(YAMLError) -> Topology {
    let text = try row.text("topology")
    var topology: Topology
    if let known = Topology.named(text) {
      topology = known
    } else if TopologyFile.isPath(text) {
      let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
      topology = try TopologyFile.topology(at: text.hasPrefix("/") ? text : folder.appending(path: text).relativePath)
    } else {
      let usable = Topology.knownInOneProcess.map(\.title).joined(separator: ", ")
      throw row.error("topology", "\(text) is not known here; use one of \(usable), or a file ending in .yaml")
    }
    if topology.importsInSecondProcess { throw row.error("topology", "\(text): \(StackNames.secondProcessLimit)") }
    if row.has("savesOn"), try !row.boolean("savesOn") {
      topology.rules.removeAll { if case .save = $0.action { true } else { false } }
    }
    return topology
  }

  private func store(_ row: YAMLMapping, _ root: YAMLMapping) throws(YAMLError) -> PublishedTable.StoreKind {
    for mapping in [row, root] where mapping.has("store") {
      return try mapping.choice("store", of: PublishedTable.StoreKind.self)
    }
    return .sqlite
  }

  private func repetitions(_ row: YAMLMapping, _ root: YAMLMapping) throws(YAMLError) -> Int {
    for mapping in [row, root] where mapping.has("repetitions") {
      return try mapping.integer("repetitions", in: 1...Self.countLimit)
    }
    return 1
  }

  private func list(
    _ row: YAMLMapping, _ entities: [PublishedTable.Entity]
  ) throws(YAMLError) -> PublishedTable.List {
    let mapping = try row.mapping("list", keys: ["entity", "sort", "batch"])
    let entity = try mapping.entity(entities)
    return PublishedTable.List(
      entity: entity.name, sortAttributes: try mapping.attributes("sort", of: entity),
      batchSize: mapping.has("batch") ? try mapping.integer("batch", in: 0...Self.countLimit) : 0)
  }

  /// Throws an error if the row has steps or a list that its store or its stack does not support.
  private func check(
    _ row: PublishedTable.Row, _ mapping: YAMLMapping, _ steps: [YAMLMapping]
  ) throws(YAMLError) {
    let all = row.setUp + row.steps
    for (place, step) in row.steps.enumerated() {
      guard case .importInTwoPhases = step.action else { continue }
      if all.count > 1 {
        throw steps[place].error("importInTwoPhases", "cannot be combined with other steps; give it a row of its own")
      }
      if row.list != nil { throw mapping.error("list", "cannot be combined with importInTwoPhases; leave it out") }
      if row.store == .memory {
        throw mapping.error("store", "importInTwoPhases needs a file; use sqlite")
      }
    }
    if row.store == .memory, let name = all.flatMap(\.leaves).compactMap(\.sqliteOnlyName).first {
      throw mapping.error("store", "a store in memory cannot have the step \(name); use sqlite")
    }
    let topology = row.topology
    if row.store == .memory, !topology.otherCoordinators.isEmpty {
      throw mapping.error("store", "the coordinators of \(topology.title) share a file; use sqlite")
    }
    let showsScreens = topology.contexts.contains { $0.name == topology.uiContext && $0.lifetime == .screen }
    if showsScreens, row.list == nil, all.flatMap(\.leaves).contains(where: { $0.party == .ui }) {
      throw mapping.error(
        "topology", "\(topology.title) has a context for each screen, but the row has no screen; add a list to it")
    }
  }
}

extension PublishedStep {
  /// The step's name in a file if only stores in SQLite files support the step, or nil if all stores do.
  fileprivate var sqliteOnlyName: String? {
    switch action {
    case .batchUpdate: "batchUpdate"
    case .batchDelete: "batchDelete"
    case .reopen: "reopen"
    default: nil
    }
  }

  /// The context in which the step works, or nil if it does not work in a single context.
  fileprivate var party: PublishedTable.Party? {
    switch action {
    case .insert(let step): step.party
    case .findOrCreate(let step): step.party
    case .fetch(let step): step.party
    case .update(let step), .delete(let step): step.party
    case .batchUpdate(let step), .batchDelete(let step): step.party
    case .link(let step): step.party
    case .save(let step): step.party
    case .reset(let party), .release(let party): party
    case .reopen, .together, .importInTwoPhases: nil
    }
  }
}

extension YAMLMapping {
  /// Reads a case of an enumeration by its raw value.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Choice.Type
  ) throws(YAMLError) -> Choice {
    let names = Choice.allCases.map(\.rawValue)
    guard has(key) else {
      throw YAMLError(
        .missingKey, "missing; use one of \(names.joined(separator: ", "))", place: place, line: line, key: path + key)
    }
    let name = try name(key, of: names)
    guard let choice = Choice(rawValue: name) else { throw error(key, "\(name) is not known") }
    return choice
  }

  /// Reads the name of one of a table's entities from the key `entity`.
  func entity(_ entities: [PublishedTable.Entity]) throws(YAMLError) -> PublishedTable.Entity {
    let name = try text("entity")
    guard let entity = entities.first(where: { $0.name == name }) else {
      let names = entities.map(\.name).joined(separator: ", ")
      throw error(
        "entity", "\(name) is not known; use \(names.isEmpty ? "an entity under entities" : "one of " + names)")
    }
    return entity
  }

  /// Reads a list of names of an entity's attributes.
  func attributes(_ key: String, of entity: PublishedTable.Entity) throws(YAMLError) -> [String] {
    let names = try texts(key)
    for name in names where !entity.attributes.contains(where: { $0.name == name }) {
      let known = entity.attributes.map(\.name).joined(separator: ", ")
      throw error(key, "\(entity.name) has no attribute \(name); use one of \(known)")
    }
    return names
  }
}
