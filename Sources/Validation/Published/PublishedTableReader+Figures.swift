import Harness
import InputFiles
import MachineSimulated
import Metrics

// MARK: - Figures

extension PublishedTableReader {
  /// The amounts that a table may contain: from a nanosecond to eleven days, or from a byte to a petabyte.
  private static let amounts = 0.000_001...1e9

  /// Returns the keys of a figure of a row that has the given steps.
  func figureKeys(_ steps: [PublishedStep]) -> [YAMLKey<PublishedTable.Figure>] {
    [
      .standard("name", \.name, .text, ""),
      .required("clock", \.clock, .listedChoice).checked { (figure, mapping) throws(YAMLError) in
        let (unit, other) = Self.units(figure.clock)
        if mapping.has(other) { throw mapping.error(other, "the clock is \(figure.clock.rawValue); use \(unit)") }
        if figure.clock == .memory, mapping.has("until") {
          throw mapping.error("until", "a figure of memory is the peak until rest; leave this out")
        }
        _ = try mapping.numbers(unit, in: Self.amounts)
      },
      .standard("steps", \.steps, Self.places(steps), []), .standard("until", \.end, .listedChoice, .rest),
      .standard("milliseconds", \.series, .numbers(in: Self.amounts), []),
      .standard("megabytes", \.series, .numbers(in: Self.amounts), []), .required("role", \.role, .listedChoice),
      .reading("overhead") { (mapping, figure) throws(YAMLError) in
        let keys: [YAMLKey<PublishedTable.Figure.Overhead>] = [
          .required(Self.units(figure.clock).own, \.amount, .number(in: Self.amounts)),
          .required("reason", \.reason, .text),
        ]
        figure.overhead = try YAMLForm.mapping(keys, PublishedTable.Figure.Overhead()).read(mapping, "overhead")
      },
      .standard("band", \.band, .number(in: 0.001...10), PublishedTable.Figure.standardBand),
      .required("source", \.source, .text),
    ]
  }

  /// Returns the key of a figure's series, and the key that belongs to other clocks.
  private static func units(_ clock: PublishedClock) -> (own: String, other: String) {
    clock == .memory ? ("megabytes", "milliseconds") : ("milliseconds", "megabytes")
  }

  /// Returns the form of the indices of the steps that a figure names.
  private static func places(_ steps: [PublishedStep]) -> YAMLForm<[Int]> {
    YAMLForm(
      { (mapping, key) throws(YAMLError) in
        var places: [Int] = []
        for name in try mapping.texts(key) {
          guard let place = steps.firstIndex(where: { $0.name == name }) else {
            let names = steps.compactMap(\.name)
            throw mapping.error(
              key,
              "no timed step is called \(name); "
                + (names.isEmpty ? "give the step a name" : "use one of \(names.joined(separator: ", "))"))
          }
          places.append(place)
        }
        return places.sorted()
      })
  }
}

// MARK: - Orders

extension PublishedTableReader {
  /// Returns the keys of an order of a table that has the given rows. An order without `relation` is a ratio, and one
  /// without `required` is required.
  func orderKeys(_ rows: [PublishedTable.Row]) -> [YAMLKey<PublishedTable.Order>] {
    let reference = YAMLForm.mapping(referenceKeys(rows), PublishedTable.FigureReference())
    return [
      .required("name", \.name, .text), .standard("relation", \.relation, .listedChoice, .ratio),
      .required("first", \.first, reference), .required("second", \.second, reference),
      .required("low", \.range.lowPartsPerMillion, Self.partsPerMillion),
      .optional("high", \.range.highPartsPerMillion, Self.partsPerMillion)
        .checked { (order, mapping) throws(YAMLError) in
          if let high = order.range.highPartsPerMillion, high < order.range.lowPartsPerMillion {
            throw mapping.error("high", "is below low; use low ≤ high")
          }
        },
      .standard("required", \.isRequired, .flag, true),
    ]
  }

  private static let partsPerMillion = YAMLForm<Int64>(
    { (mapping, key) throws(YAMLError) in
      Int64((try mapping.number(key, in: -1_000_000...1_000_000) * 1_000_000).rounded())
    })

  private func referenceKeys(_ rows: [PublishedTable.Row]) -> [YAMLKey<PublishedTable.FigureReference>] {
    [
      .reading("row", isRequired: true) { (mapping, reference) throws(YAMLError) in
        let title = try mapping.text("row")
        guard let row = rows.firstIndex(where: { $0.title == title }) else {
          throw mapping.error("row", "no row is called “\(title)”; use one of the rows' titles")
        }
        reference.row = row
      },
      .reading("figure", isRequired: true) { (mapping, reference) throws(YAMLError) in
        reference.figure = try Self.place(mapping, "figure", in: rows[reference.row])
      },
      .reading("of") { (mapping, reference) throws(YAMLError) in
        reference.whole = try Self.place(mapping, "of", in: rows[reference.row])
      },
    ]
  }

  /// Returns the place of the figure of a row that a key names.
  private static func place(
    _ mapping: YAMLMapping, _ key: String, in row: PublishedTable.Row
  ) throws(YAMLError) -> Int {
    let name = try mapping.text(key)
    guard let figure = row.figures.firstIndex(where: { $0.name == name }) else {
      let names = row.figures.map(\.name).joined(separator: ", ")
      throw mapping.error(key, "the row has no figure \(name); use one of \(names)")
    }
    return figure
  }
}
