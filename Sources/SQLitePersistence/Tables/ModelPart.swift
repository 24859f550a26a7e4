import ContextEngine

/// The entities of a model that a store has tables for: all, or those of one configuration, each with all that share its
/// table.
struct ModelPart {
  let model: ManagedObjectModel
  /// In the model's order.
  let entities: [EntityDescription]
  private let roots: Set<Int>

  init(_ model: ManagedObjectModel, configuration: String?) {
    self.model = model
    let roots = Set(model.entities(forConfiguration: configuration).map(\.root.index))
    self.roots = roots
    entities = model.entities.filter { roots.contains($0.root.index) }
  }

  func holds(_ entity: EntityDescription) -> Bool { roots.contains(entity.root.index) }

  /// Whether both ends of a many-to-many relationship are in it.
  func holds(_ joinTable: JoinTableDescription) -> Bool {
    let entity = model.entities[joinTable.entity]
    return holds(entity) && holds(model.entities[entity.toManys[joinTable.relationship].destination])
  }

  /// `Z_ENT` of each entity of the model in a new file: those of the part from 1 on, in the order of the model's numbers; the
  /// others behind them, where nothing has such a number.
  var numbers: [Int64] {
    let ordered = model.entities.sorted { left, right in
      (holds(left) ? 0 : 1, left.number) < (holds(right) ? 0 : 1, right.number)
    }
    var numbers = Array(repeating: Int64(0), count: model.entities.count)
    for (place, entity) in ordered.enumerated() { numbers[entity.index] = Int64(place + 1) }
    return numbers
  }
}
