import ContextEngine

/// The objects that the steps of a published table have made so far, by their numbers: a model of the store that is
/// independent of the engine, against which fetches and row counts are checked.
struct ExpectedRows: Sendable {
  typealias Party = PublishedTable.Party

  private let model: PublishedModel
  /// True if the import's context is a descendant of the UI's, so that it sees the UI's unsaved objects.
  private let importsIntoUI: Bool
  private var rows: [String: Rows] = [:]

  private struct Rows: Sendable {
    var nextNumber = 0
    /// The numbers of the objects in the store, in ascending order.
    var saved: [Int] = []
    /// The numbers of the objects that a context has inserted and not saved, in ascending order.
    var inserted: [Party: [Int]] = [:]
    var deleted: [Party: Set<Int>] = [:]
    /// The number of updates of each attribute.
    var generations: [String: Int] = [:]
    /// True if the objects follow from the steps. This model does not follow deletions of held objects.
    var isKnown = true

    func visible(to party: Party, through parent: Party?) -> [Int] {
      let deleted = deleted[party] ?? []
      let all = (parent.map { visible(to: $0, through: nil) } ?? saved) + (inserted[party] ?? [])
      return deleted.isEmpty ? all : all.filter { !deleted.contains($0) }
    }
  }

  init(_ model: PublishedModel, importsIntoUI: Bool) {
    self.model = model
    self.importsIntoUI = importsIntoUI
  }

  /// Returns the party from whose context a context reads, or nil if it reads from the store.
  private func parent(of party: Party) -> Party? { party == .importing && importsIntoUI ? .ui : nil }

  // MARK: Asking

  /// Returns the number of the object that is inserted next.
  func nextNumber(of entity: String) -> Int { rows[entity]?.nextNumber ?? 0 }

  /// Returns the numbers of the objects that a context sees, in ascending order.
  func numbers(of entity: String, for party: Party) -> [Int] {
    rows[entity]?.visible(to: party, through: parent(of: party)) ?? []
  }

  /// Returns the generation of the values that the next update of an attribute sets.
  func nextGeneration(of attribute: String, _ entity: String) -> Int { (rows[entity]?.generations[attribute] ?? 0) + 1 }

  /// Returns the number of rows that the store has, or nil if it does not follow from the steps.
  func savedCount(of entity: String) -> Int? {
    guard let rows = rows[entity] else { return 0 }
    return rows.isKnown ? rows.saved.count : nil
  }

  /// Returns a function that counts the objects that match a condition with these chosen objects, or nil if their
  /// number does not follow from the steps.
  func counter(
    of condition: PublishedStep.Condition?, _ entity: String, for party: Party
  ) -> (@Sendable (_ objects: [Int]) -> Int)? {
    let rows = rows[entity] ?? Rows()
    guard rows.isKnown else { return nil }
    let visible = rows.visible(to: party, through: parent(of: party))
    guard let condition else { return { _ in visible.count } }
    guard rows.generations[condition.attribute] == nil else { return nil }
    let attribute = model.entity(entity).attribute(condition.attribute)
    let model = model
    let subject: @Sendable (Int) -> Value = { Self.subject(condition, attribute: attribute, number: $0, model: model) }
    if condition.match == .less || condition.match == .greater {
      let values = visible.map(subject)
      return { objects in values.count(where: Self.matcher(condition, chosen: objects.map(subject))) }
    }
    let counts = visible.reduce(into: [Value: Int]()) { $0[subject($1), default: 0] += 1 }
    return { objects in
      guard case .page = condition.match else { return objects.first.flatMap { counts[subject($0)] } ?? 0 }
      return Set(objects.map(subject)).reduce(0) { $0 + (counts[$1] ?? 0) }
    }
  }

  // MARK: Following steps

  mutating func insert(_ count: Int, of entity: String, in party: Party) {
    let first = nextNumber(of: entity)
    rows[entity, default: Rows()].nextNumber += count
    rows[entity, default: Rows()].inserted[party, default: []] += first..<first + count
  }

  /// Inserts the objects from 0 to `count` that do not exist.
  mutating func findOrCreate(_ count: Int, of entity: String, in party: Party) {
    let present = Set(numbers(of: entity, for: party))
    rows[entity, default: Rows()].inserted[party, default: []] += (0..<count).filter { !present.contains($0) }
    let next = max(nextNumber(of: entity), count)
    rows[entity]?.nextNumber = next
  }

  mutating func update(_ attributes: [String], of entity: String) {
    for attribute in attributes { rows[entity, default: Rows()].generations[attribute, default: 0] += 1 }
  }

  /// A deletion of the objects that match a condition.
  struct Deletion {
    var entity: String
    var condition: PublishedStep.Condition?
    /// The objects that the condition compares with.
    var objects: [Int]
    /// The entities whose objects may be deleted along with them, which this model does not follow.
    var cascades: [String]
  }

  mutating func delete(_ deletion: Deletion, in party: Party) {
    let entity = deletion.entity
    for other in deletion.cascades { rows[other, default: Rows()].isKnown = false }
    var visible = numbers(of: entity, for: party)
    if let condition = deletion.condition {
      guard rows[entity]?.generations[condition.attribute] == nil else { return forget(entity) }
      let attribute = model.entity(entity).attribute(condition.attribute)
      let isMatched = Self.matcher(
        condition,
        chosen: deletion.objects.map { Self.subject(condition, attribute: attribute, number: $0, model: model) })
      visible = visible.filter { isMatched(Self.subject(condition, attribute: attribute, number: $0, model: model)) }
    }
    rows[entity, default: Rows()].deleted[party, default: []].formUnion(visible)
  }

  /// Returns a function that returns true for the values that meet a condition with these values of the chosen objects.
  private static func matcher(_ condition: PublishedStep.Condition, chosen: [Value]) -> (Value) -> Bool {
    switch condition.match {
    case .less: return { value in chosen.first.map { value.precedes($0) } ?? false }
    case .greater: return { value in chosen.first?.precedes(value) ?? false }
    case .equal, .prefix, .page:
      let wanted = Set(chosen)
      return { wanted.contains($0) }
    }
  }

  /// Returns the value of an object that a condition compares.
  private static func subject(
    _ condition: PublishedStep.Condition, attribute: PublishedModel.Attribute, number: Int, model: PublishedModel
  ) -> Value {
    let value = model.value(of: attribute, number: number)
    guard case .prefix(let length) = condition.match, case .string(let text) = value else { return value }
    return .string(String(text.prefix(length)))
  }

  /// Stops following the objects of an entity.
  mutating func forget(_ entity: String) { rows[entity, default: Rows()].isKnown = false }

  /// Moves the insertions and deletions of a context to the store, because the context saves. If it saves through the
  /// UI's context, those of that context are saved with them.
  mutating func save(_ party: Party) {
    if let parent = parent(of: party) {
      push(party, to: parent)
      return save(parent)
    }
    for entity in rows.keys {
      guard var rows = rows[entity] else { continue }
      rows.saved = rows.visible(to: party, through: nil).sorted()
      rows.inserted[party] = nil
      rows.deleted[party] = nil
      self.rows[entity] = rows
    }
  }

  /// Moves the insertions and deletions of a context into its parent, because the context saves and no other does. The
  /// parent is nil if it is not one of the two contexts, and then the objects are no longer followed.
  mutating func push(_ party: Party, to parent: Party?) {
    for entity in rows.keys {
      guard var rows = rows[entity] else { continue }
      let (inserted, deleted) = (rows.inserted.removeValue(forKey: party), rows.deleted.removeValue(forKey: party))
      if let parent {
        rows.inserted[parent, default: []] += inserted ?? []
        rows.deleted[parent, default: []].formUnion(deleted ?? [])
      } else {
        rows.isKnown = false
      }
      self.rows[entity] = rows
    }
  }

  /// Drops the unsaved insertions and deletions of a context, because it is reset.
  mutating func reset(_ party: Party) {
    for entity in rows.keys {
      rows[entity]?.inserted[party] = nil
      rows[entity]?.deleted[party] = nil
    }
  }
}
