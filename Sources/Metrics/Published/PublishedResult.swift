/// One published figure with the same figure of a simulated run.
package struct PublishedResult: Hashable, Sendable {
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
}
