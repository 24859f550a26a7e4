import ContextEngine

/// The entities of a model for which a store has tables: all entities, or the entities of one configuration with all
/// that share their tables.
struct ModelPart {
  let model: ManagedObjectModel
  /// The entities of this part, in the model's order.
  let entities: [EntityDescription]
  private let roots: Set<Int>

  init(_ model: ManagedObjectModel, configuration: String?) {
    self.model = model
    let roots = Set(model.entities(forConfiguration: configuration).map(\.root.index))
    self.roots = roots
    entities = model.entities.filter { roots.contains($0.root.index) }
  }

  func holds(_ entity: EntityDescription) -> Bool { roots.contains(entity.root.index) }

  /// Returns true if both ends of a many-to-many relationship are in this part.
  func holds(_ joinTable: JoinTableDescription) -> Bool {
    let entity = model.entities[joinTable.entity]
    return holds(entity) && holds(model.entities[entity.toManys[joinTable.relationship].destination])
  }

  /// The value of `Z_ENT` for each entity of the model in a new file. The entities of this part are numbered from 1 in
  /// the order of the model's numbers. The other entities follow; the file does not use their numbers.
  var numbers: [Int64] {
    let ordered = model.entities.sorted { left, right in
      (holds(left) ? 0 : 1, left.number) < (holds(right) ? 0 : 1, right.number)
    }
    var numbers = Array(repeating: Int64(0), count: model.entities.count)
    for (place, entity) in ordered.enumerated() { numbers[entity.index] = Int64(place + 1) }
    return numbers
  }
}
