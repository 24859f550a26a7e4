import Harness
import InputFiles
import MachineSimulated
import Metrics

// MARK: - Figures

extension PublishedTableReader {
  static let figureKeys = [
    "name", "clock", "steps", "until", "milliseconds", "megabytes", "role", "overhead", "band", "source",
  ]
  /// The amounts that a table may contain: from a nanosecond to eleven days, or from a byte to a petabyte.
  private static let amounts = 0.000_001...1e9

  func figure(_ mapping: YAMLMapping, _ steps: [PublishedStep]) throws(YAMLError) -> PublishedTable.Figure {
    let clock = try mapping.choice("clock", of: PublishedClock.self)
    let (unit, other) = clock == .memory ? ("megabytes", "milliseconds") : ("milliseconds", "megabytes")
    if mapping.has(other) { throw mapping.error(other, "the clock is \(clock.rawValue); use \(unit)") }
    if clock == .memory, mapping.has("until") {
      throw mapping.error("until", "a figure of memory is the peak until rest; leave this out")
    }
    return PublishedTable.Figure(
      name: mapping.has("name") ? try mapping.text("name") : clock.rawValue, clock: clock,
      steps: try places(mapping, steps),
      end: mapping.has("until") ? try mapping.choice("until", of: PublishedTable.Figure.End.self) : .rest,
      series: try mapping.numbers(unit, in: Self.amounts),
      role: try mapping.choice("role", of: PublishedRole.self),
      overhead: mapping.has("overhead") ? try overhead(mapping, in: unit) : nil,
      band: mapping.has("band") ? try mapping.number("band", in: 0.001...10) : PublishedTable.Figure.standardBand,
      source: try mapping.text("source"))
  }

  private func overhead(_ figure: YAMLMapping, in unit: String) throws(YAMLError) -> PublishedTable.Figure.Overhead {
    let mapping = try figure.mapping("overhead", keys: [unit, "reason"])
    return PublishedTable.Figure.Overhead(
      amount: try mapping.number(unit, in: Self.amounts), reason: try mapping.text("reason"))
  }

  /// Returns the indices of the steps that a figure names, or of all steps if it does not name any.
  private func places(_ mapping: YAMLMapping, _ steps: [PublishedStep]) throws(YAMLError) -> [Int] {
    guard mapping.has("steps") else { return Array(steps.indices) }
    var places: [Int] = []
    for name in try mapping.texts("steps") {
      guard let place = steps.firstIndex(where: { $0.name == name }) else {
        let names = steps.compactMap(\.name)
        throw mapping.error(
          "steps",
          "no timed step is called \(name); "
            + (names.isEmpty ? "give the step a name" : "use one of \(names.joined(separator: ", "))"))
      }
      places.append(place)
    }
    return places.sorted()
  }
}

// MARK: - Orders

extension PublishedTableReader {
  private static let orderKeys = ["name", "relation", "first", "second", "low", "high", "required"]

  /// Returns the orders of a table. An order without `relation` is a ratio, and one without `required` is required.
  func orders(_ root: YAMLMapping, _ rows: [PublishedTable.Row]) throws(YAMLError) -> [PublishedTable.Order] {
    var orders: [PublishedTable.Order] = []
    for mapping in try root.mappings("orders", keys: Self.orderKeys) {
      let low = try partsPerMillion(mapping, "low")
      let high = mapping.has("high") ? try partsPerMillion(mapping, "high") : nil
      if let high, high < low { throw mapping.error("high", "is below low; use low ≤ high") }
      orders.append(
        PublishedTable.Order(
          name: try mapping.text("name"),
          relation: mapping.has("relation") ? try mapping.choice("relation", of: PublishedOrder.Relation.self) : .ratio,
          first: try reference(mapping, "first", rows), second: try reference(mapping, "second", rows),
          range: PublishedOrder.Range(lowPartsPerMillion: low, highPartsPerMillion: high),
          isRequired: mapping.has("required") ? try mapping.boolean("required") : true))
    }
    return orders
  }

  private func partsPerMillion(_ mapping: YAMLMapping, _ key: String) throws(YAMLError) -> Int64 {
    Int64((try mapping.number(key, in: -1_000_000...1_000_000) * 1_000_000).rounded())
  }

  private func reference(
    _ order: YAMLMapping, _ key: String, _ rows: [PublishedTable.Row]
  ) throws(YAMLError) -> PublishedTable.FigureReference {
    let mapping = try order.mapping(key, keys: ["row", "figure", "of"])
    let title = try mapping.text("row")
    guard let row = rows.firstIndex(where: { $0.title == title }) else {
      throw mapping.error("row", "no row is called “\(title)”; use one of the rows' titles")
    }
    return PublishedTable.FigureReference(
      row: row, figure: try figure(mapping, "figure", in: rows[row]),
      whole: mapping.has("of") ? try figure(mapping, "of", in: rows[row]) : nil)
  }

  private func figure(_ mapping: YAMLMapping, _ key: String, in row: PublishedTable.Row) throws(YAMLError) -> Int {
    let name = try mapping.text(key)
    guard let figure = row.figures.firstIndex(where: { $0.name == name }) else {
      let names = row.figures.map(\.name).joined(separator: ", ")
      throw mapping.error(key, "the row has no figure \(name); use one of \(names)")
    }
    return figure
  }
}
