import MachineCore

/// The rows that are made before the first payload: a number of rows of all entities, a number for each of some entities,
/// or a row for each record of a feed.
package enum ExistingRows: Hashable, Sendable, Codable {
  /// A number of main rows, which belong to the entities in turn.
  case count(Int)
  /// The rows of some entities, in the order in which they were given. Other entities have only the rows that these
  /// require.
  case each([EntityCount])
  /// As many rows as the feed has records.
  case everyRecord

  package struct EntityCount: Hashable, Sendable, Codable {
    package var entity: String
    package var count: Int

    package init(_ entity: String, _ count: Int) {
      self.entity = entity
      self.count = count
    }
  }

  /// The number of rows, without those that they require. It is the largest number for `everyRecord`, since the size of
  /// the feed is not known.
  package var count: Int {
    switch self {
    case .everyRecord: .max
    case .count(let count): count
    case .each(let counts): counts.reduce(0) { $0 + $1.count }
    }
  }

  /// Creates the rows that a text of the form `Entity=number,Entity=number` describes.
  ///
  /// - Throws: `WorkloadError` if the text has another form, or names an entity twice.
  package init(argument: String) throws(WorkloadError) {
    func error(_ message: String) -> WorkloadError {
      WorkloadError(.existingRows, QuotedText.of(argument), message)
    }
    let largest = WorkloadOptions.largestRowCount
    var counts: [EntityCount] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty else {
        throw error("not rows of entities; use a number, full, or Entity=number,… as in Track=1000,Album=50")
      }
      guard let count = Int(sides[1]), (0...largest).contains(count) else {
        throw error("\(QuotedText.of(String(sides[1]))) is not a number of rows; use 0 to \(largest)")
      }
      guard !counts.contains(where: { $0.entity == sides[0] }) else {
        throw error("\(sides[0]) has two numbers; use one")
      }
      counts.append(EntityCount(String(sides[0]), count))
    }
    self = .each(counts)
    guard count <= largest else { throw error("\(count) rows together; use at most \(largest)") }
  }
}

extension ExistingRows: ExpressibleByIntegerLiteral {
  package init(integerLiteral count: Int) { self = .count(count) }
}

extension ExistingRows: CustomStringConvertible {
  /// The rows as an argument.
  package var description: String {
    switch self {
    case .everyRecord: "full"
    case .count(let count): "\(count)"
    case .each(let counts): counts.map { "\($0.entity)=\($0.count)" }.joined(separator: ",")
    }
  }
}

/// The existing rows that a source has yet to make.
struct ExistingRowPlan {
  /// The number of main rows of any entity, which is 0 if numbers are given for entities.
  private var anyCount = 0
  /// The entities with the numbers of their rows. An entity comes after those to which its rows lead, as far as that is
  /// possible.
  private var left: [(entity: Int, count: Int)] = []

  /// - Parameters:
  ///   - rows: The rows to make.
  ///   - schema: The schema of the rows.
  ///   - able: The indexes of the entities of which the source makes rows.
  /// - Throws: `WorkloadError` if the rows are of an entity that does not exist or of which the source makes no rows.
  init(_ rows: ExistingRows, _ schema: WorkloadSchema, able: [Int]) throws(WorkloadError) {
    switch rows {
    case .count, .everyRecord: anyCount = rows.count
    case .each(let counts):
      for count in counts {
        do throws(EntityNameError) {
          left.append((try schema.entity(named: count.entity, among: able), count.count))
        } catch {
          throw WorkloadError(.existingRows, QuotedText.of("\(rows)"), error.message)
        }
      }
      left = Self.targetsFirst(left, schema)
    }
  }

  /// A row to make: one of the given entity, or of the entity whose turn it is.
  struct Step {
    var entity: Int?
  }

  /// Returns the next row to make, or nil if all have been made.
  mutating func next() -> Step? {
    if anyCount > 0 {
      anyCount -= 1
      return Step()
    }
    return left.first { $0.count > 0 }.map { Step(entity: $0.entity) }
  }

  /// Counts a row that was made.
  mutating func made(_ entity: Int) {
    guard let place = left.firstIndex(where: { $0.entity == entity }) else { return }
    left[place].count -= 1
  }

  /// Returns the entities in an order in which an entity follows those to which its rows lead. In a circle of entities,
  /// optional relationships do not count. Equal entities keep their order.
  private static func targetsFirst(
    _ counts: [(entity: Int, count: Int)], _ schema: WorkloadSchema
  ) -> [(entity: Int, count: Int)] {
    var waiting = counts
    var sorted: [(entity: Int, count: Int)] = []
    func leads(_ entity: Int, _ requiredOnly: Bool) -> Bool {
      let relationships = schema.entities[entity].relationships
      let names = relationships.filter { relationship in
        !requiredOnly || (relationship.isToMany ? relationship.minCount > 0 : !relationship.isOptional)
      }.map(\.targetEntity)
      return waiting.contains { other in
        other.entity != entity && schema.lineage(of: other.entity).contains { names.contains(schema.entities[$0].name) }
      }
    }
    while !waiting.isEmpty {
      let place =
        waiting.firstIndex { !leads($0.entity, false) } ?? waiting.firstIndex { !leads($0.entity, true) } ?? 0
      sorted.append(waiting.remove(at: place))
    }
    return sorted
  }
}
