import ContextEngine
import Metrics
import Topologies

/// A published measurement of Core Data: the device, the data, the steps that were timed, and the figures.
///
/// A plain value, read from a YAML file. `PublishedTrial` runs its rows.
package struct PublishedTable: Codable, Hashable, Sendable {
  /// The name on the command line and in results.
  package var name = ""
  /// One line that describes the measurement.
  package var title = ""
  package var source = Source()
  /// The name of the profile of the device that the figures were measured on.
  package var profile = ""
  package var entities: [Entity] = []
  package var rows: [Row] = []
  package var orders: [Order] = []

  /// The author, address and date of the publication.
  package struct Source: Codable, Hashable, Sendable {
    package var author = ""
    package var address = ""
    package var date = ""
  }
}

// MARK: - Data

extension PublishedTable {
  package enum StoreKind: String, CaseIterable, Codable, Hashable, Sendable {
    case sqlite
    case memory
  }

  package struct Entity: Codable, Hashable, Sendable {
    package var name: String
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []
    /// The lists of attributes whose values together no two objects may share.
    package var uniquenessConstraints: [[String]] = []
  }

  /// An attribute with a description of its generated values.
  package struct Attribute: Codable, Hashable, Sendable {
    package var name: String
    package var type: AttributeType = .integer64
    package var isIndexed = false
    package var isOptional = true
    /// The number of characters of a string, or of bytes of binary data; other types ignore it.
    package var length = 0
    /// The number of different values of the objects, or nil if all are different.
    package var distinctCount: Int?
    /// The distance, in objects, from one with a value to the next. The objects between them have no value.
    package var interval = 1
  }

  package struct Relationship: Codable, Hashable, Sendable {
    package var name: String
    package var destination = ""
    package var inverse = ""
    package var isToMany = false
    package var deleteRule: DeleteRule = .nullify
  }
}

// MARK: - Rows

extension PublishedTable {
  /// One run with its store, its stack, its steps, and the figures that were published.
  package struct Row: Codable, Hashable, Sendable {
    /// The row's name, unique in its table.
    package var title = ""
    package var topology = Topology.allMain
    /// The name of the profile of the device that the row was measured on, or nil for the table's.
    package var profile: String?
    package var store: StoreKind = .sqlite
    /// The context of steps that do not name a context.
    package var party: Party = .importing
    /// The list that the UI shows during the steps, or nil if it does not show a list.
    package var list: List?
    /// The number of repetitions of which the published figure is the mean or median. The simulation runs once, because
    /// it is deterministic.
    package var repetitions = 1
    /// The steps that run first and are not timed.
    package var setUp: [PublishedStep] = []
    package var steps: [PublishedStep] = []
    package var figures: [Figure] = []
  }

  /// One of the two contexts that a row works in.
  package enum Party: String, CaseIterable, Codable, Hashable, Sendable {
    /// The context that the topology's import works in.
    case importing = "import"
    /// The context that the topology's screens show.
    case ui
  }

  /// A list that a fetched results controller keeps on the UI's context.
  package struct List: Codable, Hashable, Sendable {
    package var entity = ""
    package var sortAttributes: [String] = []
    package var batchSize = 0
  }
}

// MARK: - Figures

extension PublishedTable {
  package struct Figure: Codable, Hashable, Sendable {
    /// The figure's name, unique in its row.
    package var name = ""
    package var clock: PublishedClock = .wall
    /// The places of the row's steps that the figure times, ascending. Time between steps does not count.
    package var steps: [Int] = []
    package var end: End = .rest
    /// The measured series, each above zero: milliseconds, or megabytes of a figure of memory.
    package var series: [Double] = []
    package var role: PublishedRole = .predicted
    /// A fixed cost of the app that was measured, added to the simulated amount.
    package var overhead: Overhead?
    /// The allowed relative error; 0.35 is 35 %.
    package var band = Figure.standardBand
    package var source = ""

    package static let standardBand = 0.35

    /// The instant at which the time of a step ends.
    package enum End: String, CaseIterable, Codable, Hashable, Sendable {
      /// The step's own last block has done its work.
      case done
      /// Every save and merge that followed from the step has ended, too.
      case rest
    }

    package struct Overhead: Codable, Hashable, Sendable {
      /// The cost in the unit of the figure's series.
      package var amount = 0.0
      package var reason = ""
    }
  }

  /// A relation between two figures that the simulation should have too.
  package struct Order: Codable, Hashable, Sendable {
    package var name = ""
    package var relation: PublishedOrder.Relation = .ratio
    package var first = FigureReference()
    package var second = FigureReference()
    package var range = PublishedOrder.Range(lowPartsPerMillion: 0, highPartsPerMillion: nil)
    /// True if the command fails when the simulation does not have the order.
    package var isRequired = true
  }

  /// The places of a row and of one of its figures.
  package struct FigureReference: Codable, Hashable, Sendable {
    package var row = 0
    package var figure = 0
    /// The place of the row's figure of which the first is a share, or nil if the figure itself is meant.
    package var whole: Int?
  }

  /// Returns the name of the profile on whose device a row runs.
  package func profile(ofRow row: Int) -> String { rows[row].profile ?? profile }
}
