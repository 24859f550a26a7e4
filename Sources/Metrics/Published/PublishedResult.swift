import MachineCore

/// One published figure with the same figure of a simulated run.
package struct PublishedResult: Hashable, Sendable, Codable {
  package let table: String
  package let row: String
  /// The figure's name, unique in its row.
  package let figure: String
  package let topology: String
  package let clock: PublishedClock
  package let role: PublishedRole
  /// The median of the published series.
  package let publishedNanoseconds: Int64
  package let leastPublishedNanoseconds: Int64
  package let greatestPublishedNanoseconds: Int64
  /// The part of the simulated time that was not simulated but added: a fixed cost of the app that was measured.
  package let overheadNanoseconds: Int64
  /// The simulated time, overhead included.
  package let simulatedNanoseconds: Int64
  /// The allowed relative error, in parts per million.
  package let bandPartsPerMillion: Int64

  /// The published side of a figure.
  package struct Published: Hashable, Sendable {
    package var median: TimeSpan
    package var least: TimeSpan
    package var greatest: TimeSpan

    package init(median: TimeSpan, least: TimeSpan, greatest: TimeSpan) {
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
    _ name: Name, clock: PublishedClock, role: PublishedRole, published: Published, overhead: TimeSpan,
    simulated: TimeSpan,
    bandPartsPerMillion: Int64
  ) {
    table = name.table
    row = name.row
    figure = name.figure
    topology = name.topology
    self.clock = clock
    self.role = role
    publishedNanoseconds = published.median.nanoseconds
    leastPublishedNanoseconds = published.least.nanoseconds
    greatestPublishedNanoseconds = published.greatest.nanoseconds
    overheadNanoseconds = overhead.nanoseconds
    simulatedNanoseconds = (simulated + overhead).nanoseconds
    self.bandPartsPerMillion = bandPartsPerMillion
  }

  /// The simulated figure over the published one, less 1, in parts per million. It is -1,000,000 if the
  /// published figure is 0.
  package var errorPartsPerMillion: Int64 {
    (PartsPerMillion.ratio(of: simulatedNanoseconds, to: publishedNanoseconds) ?? 0) - 1_000_000
  }

  package var isWithinBand: Bool { abs(errorPartsPerMillion) <= bandPartsPerMillion }

  private enum CodingKeys: String, CodingKey {
    case table
    case row
    case figure
    case topology
    case clock
    case role
    case publishedNanoseconds = "published_ns"
    case leastPublishedNanoseconds = "published_least_ns"
    case greatestPublishedNanoseconds = "published_greatest_ns"
    case overheadNanoseconds = "overhead_ns"
    case simulatedNanoseconds = "simulated_ns"
    case bandPartsPerMillion = "band_ppm"
    case errorPartsPerMillion = "error_ppm"
    case isWithinBand = "within_band"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    table = try container.decode(String.self, forKey: .table)
    row = try container.decode(String.self, forKey: .row)
    figure = try container.decode(String.self, forKey: .figure)
    topology = try container.decode(String.self, forKey: .topology)
    clock = try container.decode(PublishedClock.self, forKey: .clock)
    role = try container.decode(PublishedRole.self, forKey: .role)
    publishedNanoseconds = try container.decode(Int64.self, forKey: .publishedNanoseconds)
    leastPublishedNanoseconds = try container.decode(Int64.self, forKey: .leastPublishedNanoseconds)
    greatestPublishedNanoseconds = try container.decode(Int64.self, forKey: .greatestPublishedNanoseconds)
    overheadNanoseconds = try container.decode(Int64.self, forKey: .overheadNanoseconds)
    simulatedNanoseconds = try container.decode(Int64.self, forKey: .simulatedNanoseconds)
    bandPartsPerMillion = try container.decode(Int64.self, forKey: .bandPartsPerMillion)
  }

  /// Encodes all members and, although they follow from these, the error and whether it is within the band.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(table, forKey: .table)
    try container.encode(row, forKey: .row)
    try container.encode(figure, forKey: .figure)
    try container.encode(topology, forKey: .topology)
    try container.encode(clock, forKey: .clock)
    try container.encode(role, forKey: .role)
    try container.encode(publishedNanoseconds, forKey: .publishedNanoseconds)
    try container.encode(leastPublishedNanoseconds, forKey: .leastPublishedNanoseconds)
    try container.encode(greatestPublishedNanoseconds, forKey: .greatestPublishedNanoseconds)
    try container.encode(overheadNanoseconds, forKey: .overheadNanoseconds)
    try container.encode(simulatedNanoseconds, forKey: .simulatedNanoseconds)
    try container.encode(bandPartsPerMillion, forKey: .bandPartsPerMillion)
    try container.encode(errorPartsPerMillion, forKey: .errorPartsPerMillion)
    try container.encode(isWithinBand, forKey: .isWithinBand)
  }
}
