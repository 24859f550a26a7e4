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
    let root = try YAMLMapping(text: text, place: place, keys: keys.names())
    return try keys.value(of: root, Draft()).table
  }

  /// A table while it is read, and a row before its mapping is read.
  private struct Draft {
    var table = PublishedTable()
    var row = PublishedTable.Row()
  }

  private var keys: [YAMLKey<Draft>] {
    [
      .required("name", \.table.name, .text), .required("title", \.table.title, .text),
      .required("source", \.table.source, .mapping(Self.sourceKeys, PublishedTable.Source())),
      .required("profile", \.table.profile, profile), .standard("store", \.row.store, .listedChoice, .sqlite),
      .standard("repetitions", \.row.repetitions, .count, 1),
      .reading("entities") { (root, draft) throws(YAMLError) in draft.table.entities = try entities(root) },
      .reading("rows", isRequired: true) { (root, draft) throws(YAMLError) in
        let keys = rowKeys(draft.table.entities)
        for mapping in try root.mappings("rows", keys: keys.names()) {
          let row = try keys.value(of: mapping, draft.row)
          if draft.table.rows.contains(where: { $0.title == row.title }) {
            throw mapping.error("title", "“\(row.title)” appears twice; use each title once")
          }
          draft.table.rows.append(row)
        }
      },
      .reading("orders") { (root, draft) throws(YAMLError) in
        draft.table.orders = try YAMLForm.list(of: orderKeys(draft.table.rows), PublishedTable.Order())
          .read(root, "orders")
      },
    ]
  }

  private static let sourceKeys: [YAMLKey<PublishedTable.Source>] = [
    .required("author", \.author, .text), .required("address", \.address, .text), .required("date", \.date, .text),
  ]

  private var profile: YAMLForm<String> {
    YAMLForm(
      { (mapping, key) throws(YAMLError) in
        let name = try mapping.text(key)
        if let profiles, !profiles.contains(name), !ProfileLibrary.isPath(name) {
          throw mapping.error(
            key, "\(name) is not known; use one of \(profiles.joined(separator: ", ")), or a file ending in .yaml")
        }
        return name
      })
  }
}

// MARK: - Rows

extension PublishedTableReader {
  private func rowKeys(_ entities: [PublishedTable.Entity]) -> [YAMLKey<PublishedTable.Row>] {
    [
      .required("title", \.title, .text), .required("topology", \.topology, topology),
      .reading("savesOn") { (mapping, row) throws(YAMLError) in
        if try !mapping.boolean("savesOn") {
          row.topology.rules.removeAll { if case .save = $0.action { true } else { false } }
        }
      },
      .optional("profile", \.profile, profile), .standard("context", \.party, .listedChoice, .importing),
      .standard("store", \.store, .listedChoice, .sqlite),
      .optional("list", \.list, .mapping(listKeys(entities), PublishedTable.List())),
      .standard("repetitions", \.repetitions, .count, 1),
      .reading("setUp") { (mapping, row) throws(YAMLError) in
        row.setUp = try steps(mapping, "setUp", StepContext(entities: entities, party: row.party))
      },
      .reading("steps", isRequired: true) { (mapping, row) throws(YAMLError) in
        row.steps = try steps(mapping, "steps", StepContext(entities: entities, party: row.party))
        try check(row, mapping)
      },
      .reading("figures", isRequired: true) { (mapping, row) throws(YAMLError) in
        let keys = figureKeys(row.steps)
        for figure in try mapping.mappings("figures", keys: keys.names()) {
          var read = try keys.value(of: figure, PublishedTable.Figure(steps: Array(row.steps.indices)))
          if read.name.isEmpty { read.name = read.clock.rawValue }
          if row.figures.contains(where: { $0.name == read.name }) {
            throw figure.error("name", "“\(read.name)” appears twice in its row; use each name once")
          }
          row.figures.append(read)
        }
      },
    ]
  }

  /// The form of a row's stack: a name, or the path of a topology's file, relative to the table's.
  private var topology: YAMLForm<Topology> {
    YAMLForm(
      { (mapping, key) throws(YAMLError) in
        let text = try mapping.text(key)
        let topology: Topology
        if let known = Topology.named(text) {
          topology = known
        } else if TopologyFile.isPath(text) {
          let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
          topology = try TopologyFile.topology(
            at: text.hasPrefix("/") ? text : folder.appending(path: text).relativePath)
        } else {
          let usable = Topology.knownInOneProcess.map(\.title).joined(separator: ", ")
          throw mapping.error(key, "\(text) is not known here; use one of \(usable), or a file ending in .yaml")
        }
        if topology.importsInSecondProcess {
          throw mapping.error(key, "\(text): \(StackNames.secondProcessLimit)")
        }
        return topology
      })
  }

  private func listKeys(_ entities: [PublishedTable.Entity]) -> [YAMLKey<PublishedTable.List>] {
    let context = StepContext(entities: entities, party: .ui)
    return [
      context.entityKey(), context.attributes("sort", \.sortAttributes),
      .standard("batch", \.batchSize, .countFrom0, 0),
    ]
  }

  /// Throws an error if the row has steps or a list that its store or its stack does not support.
  private func check(_ row: PublishedTable.Row, _ mapping: YAMLMapping) throws(YAMLError) {
    let all = row.setUp + row.steps
    for (place, step) in row.steps.enumerated() {
      guard case .importInTwoPhases = step.action else { continue }
      if all.count > 1 {
        throw try mapping.mappings("steps", keys: nil)[place].error(
          "importInTwoPhases", "cannot be combined with other steps; give it a row of its own")
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

extension YAMLForm<Int> {
  /// The form of a number of objects above 0.
  static var count: YAMLForm { .integer(in: 1...PublishedTableReader.countLimit) }
  /// The form of a number of objects that may be 0.
  static var countFrom0: YAMLForm { .integer(in: 0...PublishedTableReader.countLimit) }
}
