/// One published figure with the same figure of a simulated run.
package struct PublishedResult: Hashable, Sendable, Codable {
  package let table: String
  package let row: String
  /// The figure's name, unique in its row.
  package let figure: String
  package let topology: String
  package let clock: PublishedClock
  package let role: PublishedRole
  /// The median of the published series. This and the following amounts are nanoseconds, or bytes of a figure of memory.
  package let published: Int64
  package let leastPublished: Int64
  package let greatestPublished: Int64
  /// The part of the simulated amount that was not simulated but added: a fixed cost of the app that was measured.
  package let overhead: Int64
  /// The simulated amount, overhead included.
  package let simulated: Int64
  /// The allowed relative error, in parts per million.
  package let bandPartsPerMillion: Int64

  /// The published side of a figure.
  package struct Published: Hashable, Sendable {
    package var median: Int64
    package var least: Int64
    package var greatest: Int64

    package init(median: Int64, least: Int64, greatest: Int64) {
      self.median = median
      self.least = least
      self.greatest = greatest
    }
  }

  /// The name of the figure that a result belongs to.
  package struct Name: Hashable, Sendable {
    package var table: String
    package var row: String
    package var figure: String
    package var topology: String

    package init(table: String, row: String, figure: String, topology: String) {
      self.table = table
      self.row = row
      self.figure = figure
      self.topology = topology
    }
  }

  package init(
    _ name: Name, clock: PublishedClock, role: PublishedRole, published: Published, overhead: Int64,
    simulated: Int64, bandPartsPerMillion: Int64
  ) {
    table = name.table
    row = name.row
    figure = name.figure
    topology = name.topology
    self.clock = clock
    self.role = role
    self.published = published.median
    leastPublished = published.least
    greatestPublished = published.greatest
    self.overhead = overhead
    self.simulated = simulated + overhead
    self.bandPartsPerMillion = bandPartsPerMillion
  }

  /// The simulated figure over the published one, less 1, in parts per million. It is -1,000,000 if the
  /// published figure is 0.
  package var errorPartsPerMillion: Int64 {
    (PartsPerMillion.ratio(of: simulated, to: published) ?? 0) - 1_000_000
  }

  package var isWithinBand: Bool { abs(errorPartsPerMillion) <= bandPartsPerMillion }

  private enum CodingKeys: String, CodingKey {
    case table
    case row
    case figure
    case topology
    case clock
    case role
    case bandPartsPerMillion = "band_ppm"
    case errorPartsPerMillion = "error_ppm"
    case isWithinBand = "within_band"
  }

  /// The name of an amount with its unit, such as `published_ns`.
  private struct AmountKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String, clock: PublishedClock) { stringValue = "\(name)_\(clock.unit)" }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let amounts = try decoder.container(keyedBy: AmountKey.self)
    table = try container.decode(String.self, forKey: .table)
    row = try container.decode(String.self, forKey: .row)
    figure = try container.decode(String.self, forKey: .figure)
    topology = try container.decode(String.self, forKey: .topology)
    clock = try container.decode(PublishedClock.self, forKey: .clock)
    role = try container.decode(PublishedRole.self, forKey: .role)
    published = try amounts.decode(Int64.self, forKey: AmountKey("published", clock: clock))
    leastPublished = try amounts.decode(Int64.self, forKey: AmountKey("published_least", clock: clock))
    greatestPublished = try amounts.decode(Int64.self, forKey: AmountKey("published_greatest", clock: clock))
    overhead = try amounts.decode(Int64.self, forKey: AmountKey("overhead", clock: clock))
    simulated = try amounts.decode(Int64.self, forKey: AmountKey("simulated", clock: clock))
    bandPartsPerMillion = try container.decode(Int64.self, forKey: .bandPartsPerMillion)
  }

  /// Encodes all members and, although they follow from these, the error and whether it is within the band.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var amounts = encoder.container(keyedBy: AmountKey.self)
    try container.encode(table, forKey: .table)
    try container.encode(row, forKey: .row)
    try container.encode(figure, forKey: .figure)
    try container.encode(topology, forKey: .topology)
    try container.encode(clock, forKey: .clock)
    try container.encode(role, forKey: .role)
    try amounts.encode(published, forKey: AmountKey("published", clock: clock))
    try amounts.encode(leastPublished, forKey: AmountKey("published_least", clock: clock))
    try amounts.encode(greatestPublished, forKey: AmountKey("published_greatest", clock: clock))
    try amounts.encode(overhead, forKey: AmountKey("overhead", clock: clock))
    try amounts.encode(simulated, forKey: AmountKey("simulated", clock: clock))
    try container.encode(bandPartsPerMillion, forKey: .bandPartsPerMillion)
    try container.encode(errorPartsPerMillion, forKey: .errorPartsPerMillion)
    try container.encode(isWithinBand, forKey: .isWithinBand)
  }
}
