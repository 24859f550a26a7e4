import ContextEngine
import Testing

/// Tests of the relationships of a new object that a uniqueness constraint merges into a row.
@Suite(.onBothStores, .namingTheStore)
struct UniquenessRelationshipTests {
  private static let model = ManagedObjectModel([
    .init(
      "Label", attributes: [.init("code", .integer64), .init("text", .string)],
      relationships: [
        .init("people", to: "Person", inverse: "labels", isToMany: true),
        .init("songs", to: "Song", inverse: "labels", isToMany: true),
        .init("places", to: "Place", inverse: "label", isToMany: true),
      ], uniquenessConstraints: [["code"]]),
    .init(
      "Person", attributes: [],
      relationships: [.init("labels", to: "Label", inverse: "people", isToMany: true)]),
    .init(
      "Song", attributes: [],
      relationships: [.init("labels", to: "Label", inverse: "songs", isToMany: true, isOrdered: true)]),
    .init("Place", attributes: [], relationships: [.init("label", to: "Label", inverse: "places")]),
  ])
  private static let label = model.entity("Label")
  private static let code = label.path("code")

  private static func insertLabel(_ code: Int64, _ context: ManagedObjectContext) -> ManagedObject {
    let label = context.insert(label)
    label[Self.code] = .integer(code)
    return label
  }

  private static func label(_ code: Int64, _ context: ManagedObjectContext) throws -> ManagedObject {
    let request = FetchRequest(label, predicate: .equal(Self.code, .integer(code)))
    return try #require(try context.fetch(request).first)
  }

  /// Saves a person, a place, a label without relationships, and another label with a song.
  private static func seed(_ stack: Stack) throws {
    try stack.seed { context in
      _ = context.insert(model.entity("Person"))
      _ = context.insert(model.entity("Place"))
      _ = insertLabel(1, context)
      insertLabel(2, context).add(context.insert(model.entity("Song")), to: label.path("songs"))
    }
  }

  /// A random history found this case.
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback])
  func `a child's temporary ID still resolves after another object is merged into the row`(
    _ policy: MergePolicy
  ) throws {
    let stack = try Stack(model: Self.model)
    let chain = stack.chain(1)
    let made = chain.leaf.performAndWait { Self.insertLabel(1, chain.leaf) }
    try chain.saveAll()
    let other = stack.chain(1)
    other.root.performAndWait { other.root.mergePolicy = policy }
    let (second, target) = other.leaf.performAndWait {
      let person = other.leaf.insert(Self.model.entity("Person"))
      let label = Self.insertLabel(1, other.leaf)
      label.add(person, to: Self.label.path("people"))
      return (label, person)
    }
    try other.saveAll()
    // Each of the two children inserted an object for the row, and each still uses its own.
    for (context, object) in [(chain.leaf, made), (other.leaf, second)] {
      try context.performAndWait {
        try context.refreshAllObjects()
        let found = try context.fetch(FetchRequest(Self.label))
        #expect(found.count == 1 && found.first === object && object.objectID.isTemporaryID)
        #expect(object.relatedObjects(Self.label.path("people")).count == 1)
      }
    }
    other.leaf.performAndWait {
      #expect(target.relatedObjects(target.entity.path("labels")) == [second])
    }
  }

  private static let relationships = ["people", "songs", "places"]

  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback], [false, true])
  func `a row takes over the relationships of the new object merged into it`(
    _ policy: MergePolicy, isRegistered: Bool
  ) throws {
    for name in Self.relationships {
      let stack = try Stack(model: Self.model)
      try Self.seed(stack)
      let (context, other) = (stack.context(), stack.context("other"))
      context.performAndWait { context.mergePolicy = policy }
      let path = Self.label.path(name)
      let destination = Self.model.entity(name == "people" ? "Person" : name == "songs" ? "Song" : "Place")
      let elsewhere = try other.performAndWait {
        other.automaticallyMergesChangesFromParent = true
        let label = try Self.label(1, other)
        #expect(label.relatedObjects(path).isEmpty)
        return label
      }
      try context.performAndWait {
        let known = isRegistered ? try Self.label(1, context) : nil
        #expect(known?.relatedObjects(path).isEmpty ?? true)
        let target = try #require(try context.fetch(FetchRequest(destination)).first)
        Self.insertLabel(1, context).add(target, to: path)
        try context.save()
        let label = try Self.label(1, context)
        #expect(known == nil || known === label)
        #expect(label.relatedObjects(path) == [target], "\(name) in the context that saved")
        #expect(!context.hasChanges)
        // The row comes after the label that the song already had.
        if name == "songs" {
          let labels = target.relatedObjects(target.entity.path("labels"))
          #expect(labels.map { $0[Self.code] } == [2, 1])
        }
      }
      drain(other)
      other.performAndWait {
        #expect(elsewhere.relatedObjects(path).map(\.entity.name) == [destination.name], "\(name) elsewhere")
      }
      try stack.inStore { reading in
        let members = try Self.label(1, reading).relatedObjects(path)
        let count = try reading.count(for: FetchRequest(Self.label))
        #expect(members.count == 1 && count == 2, "\(name) in the store")
      }
    }
  }
}
