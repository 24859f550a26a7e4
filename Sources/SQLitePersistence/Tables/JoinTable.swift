import ContextEngine

/// The join table of a many-to-many relationship in a file: its columns and the texts of the statements that write it.
///
/// Shaped as Core Data shapes it. `Z_2TAGS (Z_2NOTES, Z_5TAGS)` is named after the relationship `tags` of the entity with
/// the number 2, whose inverse is `notes`; where `tags` is ordered, `Z_FOK_5TAGS` has the place. Of a relationship that is
/// its own inverse the second column is called `REFLEXIVE`, and each pair stands there both ways round.
struct JoinTable: Sendable {
  let name: String
  /// The keys of the objects whose relationship the table is named after.
  let source: Column
  /// The keys at the other end.
  let target: Column

  struct Column: Sendable {
    let name: String
    /// The column with the places of these objects in the order of the other end's relationship; nil = it has no order.
    let orderName: String?
  }

  /// The table that a new file gets.
  ///
  /// - Parameter numbers: `Z_ENT` of each entity of the model in the file.
  init(_ description: JoinTableDescription, in model: ManagedObjectModel, numbers: [Int64]) {
    let near = model.entities[description.entity].toManys[description.relationship]
    let far = model.entities[description.inverseEntity].toManys[description.inverseRelationship]
    let sourceNumber = numbers[description.entity]
    let targetNumber = numbers[description.inverseEntity]
    let targetName = "\(targetNumber)\(near.name.uppercased())"
    name = "Z_\(sourceNumber)\(near.name.uppercased())"
    guard !description.isReflexive else {
      source = Column(name: "Z_" + targetName, orderName: nil)
      target = Column(name: "REFLEXIVE", orderName: near.isOrdered ? "Z_FOK_" + targetName : nil)
      return
    }
    let sourceName = "\(sourceNumber)\(far.name.uppercased())"
    source = Column(name: "Z_" + sourceName, orderName: far.isOrdered ? "Z_FOK_" + sourceName : nil)
    target = Column(name: "Z_" + targetName, orderName: near.isOrdered ? "Z_FOK_" + targetName : nil)
  }

  /// A table as a file has it.
  init(name: String, source: Column, target: Column) {
    self.name = name
    self.source = source
    self.target = target
  }

  /// The column with the keys of the objects that have the relationship.
  func near(_ end: JoinTableEnd) -> Column { end.isNaming ? source : target }

  /// The column with the keys that the relationship leads to.
  func far(_ end: JoinTableEnd) -> Column { end.isNaming ? target : source }

  // MARK: SQL

  var tableSQL: String {
    var definitions = [source.name + " INTEGER", target.name + " INTEGER"]
    for orderName in [target.orderName, source.orderName] {
      if let orderName { definitions.append(orderName + " INTEGER") }
    }
    definitions.append("PRIMARY KEY (\(source.name), \(target.name))")
    return "CREATE TABLE \(name) ( \(definitions.joined(separator: ", ")) )"
  }

  /// From the other end.
  var indexSQL: String {
    "CREATE INDEX \(name)_\(target.name)_INDEX ON \(name) (\(target.name), \(source.name))"
  }

  var insertionSQL: String { "INSERT OR IGNORE INTO \(name)(\(source.name), \(target.name)) VALUES(?, ?)" }

  var deletionSQL: String { "DELETE FROM \(name) WHERE \(source.name) = ? AND \(target.name) = ?" }

  func clearanceSQL(_ end: JoinTableEnd) -> String { "DELETE FROM \(name) WHERE \(near(end).name) = ?" }
}
