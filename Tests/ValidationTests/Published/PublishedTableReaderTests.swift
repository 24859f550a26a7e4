import InputFiles
import MachineSimulated
import TestSupport
import Testing

@testable import Experiments
@testable import Validation

/// Tests of published tables that cannot be used, each with its error in one line.
@Suite struct PublishedTableReaderTests {
  private static let text = PublishedTableText.text(
    steps: ["insert: {entity: Item, count: 10, save: once}", "fetch: {entity: Item, where: {attribute: number}}"])

  /// A change to a valid table, and the message of the error that it causes.
  struct Flaw: Sendable, CustomStringConvertible {
    let old: String
    let new: String
    let message: String
    var description: String { new.isEmpty ? "without \(old)" : new }

    init(_ old: String, _ new: String, _ message: String) {
      self.old = old
      self.new = new
      self.message = message
    }
  }

  static let flaws = [
    Flaw(
      "insert:", "inser:",
      "table.yaml:23: rows[0].steps[0].inser: not known; did you mean insert? use one of name, insert, "),
    Flaw(
      "entity: Item, count", "entity: Itm, count",
      "rows[0].steps[0].insert.entity: Itm is not known; use one of Item, Album"),
    Flaw("count: 10", "count: ten", "rows[0].steps[0].insert.count: ten is not in range; use a whole number from 1"),
    Flaw(
      "count: 10", "cout: 10",
      "rows[0].steps[0].insert.cout: not known; did you mean count? use one of in, entity, count"),
    Flaw(
      "save: once", "save: twice",
      "rows[0].steps[0].insert.save: twice is not a value of save; use once or a number of objects"),
    Flaw("count: 10, ", "", "rows[0].steps[0].insert.count: missing"),
    Flaw("topology: all-main", "topology: star", "rows[0].topology: star is not known here; use one of all-main, "),
    Flaw(
      "topology: all-main", "topology: two-coordinators/processes",
      "rows[0].topology: two-coordinators/processes: a simulated machine has one process"),
    Flaw(
      "topology: all-main", "topology: two-coordinators\n    store: memory",
      "rows[0].store: the coordinators of two-coordinators share a file; use sqlite"),
    Flaw(
      "topology: all-main", "topology: all-main\n    profile: iphone-99",
      "rows[0].profile: iphone-99 is not known; use one of "),
    Flaw(
      "count: 10, ", "count: 10, link: [albums], ",
      "rows[0].steps[0].insert.link: Item has no to-one relationship albums; use one of album"),
    Flaw(
      "where: {attribute: number}", "follow: [name]",
      "rows[0].steps[1].fetch.follow: Item has no relationship name; use one of album"),
    Flaw(
      "Item, where: {attribute: number}", "Album, where: {attribute: id, match: less}",
      "rows[0].steps[1].fetch.where.match: id has no order; use equal or page"),
    Flaw(
      "topology: all-main", "topology: per-view-controller\n    context: ui",
      "rows[0].topology: per-view-controller has a context for each screen, but the row has no screen; add a list"),
    Flaw(
      "topology: all-main", "topology: all-main\n    store: disk",
      "rows[0].store: disk is not known; use one of sqlite, memory"),
    Flaw("clock: wall, ", "", "rows[0].figures[0].clock: missing; use one of wall, cpu, main-cpu"),
    Flaw("clock: wall", "clock: sun", "rows[0].figures[0].clock: sun is not known; use one of wall, cpu, main-cpu"),
    Flaw("role: predicted, ", "", "rows[0].figures[0].role: missing; use one of fitted, predicted"),
    Flaw("milliseconds: 1", "milliseconds: 0", "rows[0].figures[0].milliseconds: 0 is out of range; use 1e-06 to"),
    Flaw("milliseconds: 1", "milliseconds: -3", "rows[0].figures[0].milliseconds: -3 is negative; use"),
    Flaw("milliseconds: 1", "milliseconds: .nan", "rows[0].figures[0].milliseconds: .nan is not a number; use"),
    Flaw("milliseconds: 1", "milliseconds: [1, x]", "rows[0].figures[0].milliseconds[1]: x is not a number; use"),
    Flaw(
      "milliseconds: 1", "milliseconds: 1, steps: [a]",
      "rows[0].figures[0].steps: no timed step is called a; give the step a name"),
    Flaw("milliseconds: 1, ", "", "rows[0].figures[0].milliseconds: missing"),
    Flaw("milliseconds: 1", "megabytes: 1", "rows[0].figures[0].megabytes: the clock is wall; use milliseconds"),
    Flaw(
      "clock: wall, milliseconds: 1", "clock: memory, megabytes: 1, until: done",
      "rows[0].figures[0].until: a figure of memory is the peak until rest; leave this out"),
    Flaw("type: uuid", "type: number", "entities.Album.attributes.id.type: number is not known; use one of integer16"),
    Flaw("{type: string, length: 12}", "{type: string}", "entities.Item.attributes.name.length: missing"),
    Flaw(
      "{type: uuid}", "{type: uuid, length: 3}",
      "entities.Album.attributes.id.length: attributes of type uuid have no length; leave it out"),
    Flaw("inverse: items", "inverse: things", "entities: "),
    Flaw("to: Album", "to: Record", "entities: "),
    Flaw("unique: [[id]]", "unique: [[key]]", "entities.Album.unique: there is no attribute key; use one of"),
    Flaw(
      "    attributes:\n      id: {type: uuid}\n", "", "entities.Album: has no attributes; give it at least one"),
    Flaw(
      "where: {attribute: number}", "where: {attribute: size}",
      "rows[0].steps[1].fetch.where.attribute: size is not known; use one of number, name, group"),
    Flaw(
      "where: {attribute: number}", "where: {attribute: number, match: prefix}",
      "rows[0].steps[1].fetch.where.match: number is not a string"),
    Flaw(
      "where: {attribute: number}", "where: {attribute: number, size: 3}",
      "rows[0].steps[1].fetch.where.size: belongs to match: page"),
    Flaw("profile: iphone-6-ios-11", "profile: iphone-99", "profile: iphone-99 is not known; use one of "),
    Flaw("title: \"made up\"\n", "", "title: missing"),
    Flaw("title: row", "titel: row", "rows[0].titel: not known; did you mean title? use one of title, topology"),
    Flaw(
      "rows:", "orders: [{name: a, first: {row: b, figure: c}, second: {row: b, figure: c}, low: 1}]\nrows:",
      "orders[0].first.row: no row is called “b”"),
    Flaw(
      "rows:", "orders: [{name: a, first: {row: row, figure: c}, second: {row: row, figure: c}, low: 1}]\nrows:",
      "orders[0].first.figure: the row has no figure c; use one of all"),
    Flaw(
      "rows:",
      "orders: [{name: a, first: {row: row, figure: all}, second: {row: row, figure: all}, low: 2, high: 1}]\nrows:",
      "orders[0].high: is below low"),
    Flaw(
      "rows:",
      "orders: [{name: a, first: {row: row, figure: all, of: c}, second: {row: row, figure: all}, low: 2}]\nrows:",
      "orders[0].first.of: the row has no figure c; use one of all"),
    Flaw("source: {author: me, ", "source: {", "source.author: missing"),
    Flaw("rows:", "rows: [", "not YAML: "),
  ]

  private func read(_ text: String) throws(YAMLError) {
    _ = try PublishedTableReader(place: "table.yaml", profiles: ProfileLibrary.shippedNames).table(from: text)
  }

  @Test func `the unchanged table of these tests is valid`() throws {
    try read(Self.text)
  }

  @Test(arguments: flaws) func `a flaw throws one line with file, line and field`(_ flaw: Flaw) {
    #expect(Self.text.contains(flaw.old))
    let error = #expect(throws: YAMLError.self) { try read(Self.text.replacing(flaw.old, with: flaw.new)) }
    let message = error?.description ?? ""
    #expect(message.contains(flaw.message), "\(message)")
    #expect(message.wholeMatch(of: /table\.yaml:[0-9]+: [^\n]+/) != nil, "\(message)")
  }

  @Test func `a stack's file that cannot be read is named`() {
    let text = Self.text.replacing("topology: all-main", with: "topology: star.yaml")
    let error = #expect(throws: YAMLError.self) {
      _ = try PublishedTableReader(place: "/nowhere/table.yaml").table(from: text)
    }
    #expect(error?.description.hasPrefix("/nowhere/star.yaml: ") == true)
  }

  @Test func `an in-memory store is refused for steps that need a file`() {
    for step in ["reopen: {}", "batchDelete: {entity: Item}", "batchUpdate: {entity: Item, attributes: [name]}"] {
      let text = PublishedTableText.text(row: "    topology: all-main\n    store: memory", steps: [step])
      let error = #expect(throws: YAMLError.self) { try read(text) }
      let name = step.prefix { $0 != ":" }
      #expect(
        error?.description.hasSuffix("rows[0].store: a store in memory cannot have the step \(name); use sqlite")
          == true)
    }
  }

  @Test func `a two-phase import with other steps in its row is refused`() {
    let step = "importInTwoPhases: {objects: 10, page: 5, objectsPerSave: entity, relationshipsPerSave: 5}"
    let error = #expect(throws: YAMLError.self) { try read(PublishedTableText.text(steps: [step, "save: {}"])) }
    #expect(error?.message == "cannot be combined with other steps; give it a row of its own")
  }

  @Test func `two steps in one entry are refused`() {
    let text = PublishedTableText.text(steps: ["{save: {}, reset: {}}"])
    let error = #expect(throws: YAMLError.self) { try read(text) }
    #expect(error?.message.hasPrefix("several steps in one entry; use one of insert") == true)
  }
}
