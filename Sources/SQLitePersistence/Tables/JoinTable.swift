import ContextEngine

/// The join table of a many-to-many relationship in a file: its columns and the SQL of the statements that write it.
///
/// The table has the form of Core Data's. `Z_2TAGS (Z_2NOTES, Z_5TAGS)` is named after the relationship `tags` of the
/// entity with the number 2, whose inverse is `notes`. If `tags` is ordered, `Z_FOK_5TAGS` has the place. If a
/// relationship is its own inverse, the second column is called `REFLEXIVE`, and each pair is stored in both
/// directions.
struct JoinTable: Sendable {
  let name: String
  /// The column with the keys of the objects after whose relationship the table is named.
  let source: Column
  /// The column with the keys at the other end.
  let target: Column

  struct Column: Sendable {
    let name: String
    /// The column with the places of these objects in the other end's relationship, or nil if that relationship is not
    /// ordered.
    let orderName: String?
  }

  /// Creates the table of a new file. `numbers` has `Z_ENT` of each entity of the model in the file.
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

  /// Creates a table with the names in an existing file.
  init(name: String, source: Column, target: Column) {
    self.name = name
    self.source = source
    self.target = target
  }

  /// Returns the column with the keys of the objects that have the relationship.
  func near(_ end: JoinTableEnd) -> Column { end.isNaming ? source : target }

  /// Returns the column with the keys of the objects to which the relationship leads.
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

  /// The SQL of an index that begins at the other end.
  var indexSQL: String {
    "CREATE INDEX \(name)_\(target.name)_INDEX ON \(name) (\(target.name), \(source.name))"
  }

  var insertionSQL: String { "INSERT OR IGNORE INTO \(name)(\(source.name), \(target.name)) VALUES(?, ?)" }

  var deletionSQL: String { "DELETE FROM \(name) WHERE \(source.name) = ? AND \(target.name) = ?" }

  func clearanceSQL(_ end: JoinTableEnd) -> String { "DELETE FROM \(name) WHERE \(near(end).name) = ?" }
}
