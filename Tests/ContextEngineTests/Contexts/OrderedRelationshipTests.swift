import ContextEngine
import Foundation
import TestSupport
import Testing

/// Ordered relationships, whose order is stored in the table of a foreign key (a note's steps) or in a join table (an
/// album's pictures).
@Suite(.onBothStores, .namingTheStore) struct OrderedRelationshipTests {
  /// An ordered relationship under test.
  private struct Ordered: Sendable {
    var owner: EntityDescription
    var member: EntityDescription
    var path: PropertyPath
    /// The columns of the order numbers: the table, the owner's key and the number.
    var column: (table: String, owner: String, number: String)

    static let all = [
      Ordered(
        owner: Notebook.note, member: Notebook.step, path: Notebook.steps,
        column: ("ZSTEP", "ZNOTE", "Z_FOK_NOTE")),
      Ordered(
        owner: Notebook.album, member: Notebook.picture, path: Notebook.pictures,
        column: ("Z_1PICTURES", "Z_1ALBUMS", "Z_FOK_4PICTURES")),
    ]

    /// Saves an owner with members of these names.
    func seed(_ stack: Stack, _ names: [String]) throws {
      try stack.seed { context in
        let owner = context.insert(self.owner, named: "owner")
        for name in names { owner.add(context.insert(member, named: name), to: path) }
      }
    }

    func stored(_ stack: Stack) throws -> [String] {
      try stack.inStore { try $0.named("owner", owner).names(path) }
    }

    /// Returns the order numbers in the file, ascending.
    func numbers(_ stack: Stack) throws -> [Int64] {
      try PlainReader(stack).rows("SELECT \(column.number) FROM \(column.table) ORDER BY 1").map { Int64($0[0]) ?? -1 }
    }
  }

  @Test(arguments: Arrangement.all)
  func `members keep the order of their insertion at every level and in the store`(arrangement: Arrangement) throws {
    for ordered in Ordered.all {
      let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
      // The names are not in the order of the keys.
      try ordered.seed(stack, ["c", "a", "b"])
      let context = chain.leaf
      try context.performAndWait {
        let owner = try context.named("owner", ordered.owner)
        #expect(owner.names(ordered.path) == ["c", "a", "b"])
        owner.add(context.insert(ordered.member, named: "d"), to: ordered.path)
        owner.insert(context.insert(ordered.member, named: "e"), into: ordered.path, at: 0)
        owner.insert(context.insert(ordered.member, named: "f"), into: ordered.path, at: 2)
        #expect(owner.names(ordered.path) == ["e", "c", "f", "a", "b", "d"])
        owner.remove(try context.named("c", ordered.member), from: ordered.path)
        #expect(owner.names(ordered.path) == ["e", "f", "a", "b", "d"])
      }
      #expect(try ordered.stored(stack) == ["c", "a", "b"])
      try chain.saveAll()
      #expect(try ordered.stored(stack) == ["e", "f", "a", "b", "d"])
      for level in chain.contexts {
        try level.performAndWait {
          try level.expect("owner", ordered.owner, leadsTo: ["e", "f", "a", "b", "d"], by: ordered.path)
        }
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `adding an existing member keeps its place, and re-adding a removed one appends it`(
    arrangement: Arrangement
  ) throws {
    for ordered in Ordered.all {
      for (isRead, isRemoved) in [(false, false), (false, true), (true, false), (true, true)] {
        let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
        try ordered.seed(stack, ["a", "b", "c"])
        let context = chain.leaf
        try context.performAndWait {
          let owner = try context.named("owner", ordered.owner)
          if isRead { #expect(owner.names(ordered.path) == ["a", "b", "c"]) }
          let member = try context.named("a", ordered.member)
          if isRemoved { owner.remove(member, from: ordered.path) }
          owner.add(context.insert(ordered.member, named: "d"), to: ordered.path)
          owner.add(member, to: ordered.path)
        }
        try chain.saveAll()
        #expect(try ordered.stored(stack) == (isRemoved ? ["b", "c", "d", "a"] : ["a", "b", "c", "d"]))
        for level in chain.contexts {
          try level.performAndWait {
            let names = try level.named("owner", ordered.owner).names(ordered.path)
            #expect(names == (isRemoved ? ["b", "c", "d", "a"] : ["a", "b", "c", "d"]), "\(level.name)")
          }
        }
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `members of an ordered relationship are moved, replaced and set`(arrangement: Arrangement) throws {
    for ordered in Ordered.all {
      let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
      try ordered.seed(stack, ["a", "b", "c", "d", "e"])
      let context = chain.leaf
      try context.performAndWait {
        let owner = try context.named("owner", ordered.owner)
        owner.moveObjects(of: ordered.path, at: IndexSet([0, 3]), to: 1)
        #expect(owner.names(ordered.path) == ["b", "a", "d", "c", "e"])
        owner.replaceObject(at: 2, of: ordered.path, with: context.insert(ordered.member, named: "x"))
        #expect(owner.names(ordered.path) == ["b", "a", "x", "c", "e"])
        // A member that is elsewhere in the list moves from there.
        owner.replaceObject(at: 4, of: ordered.path, with: owner.relatedObjects(ordered.path)[0])
        #expect(owner.names(ordered.path) == ["a", "x", "c", "b"])
      }
      try chain.saveAll()
      #expect(try ordered.stored(stack) == ["a", "x", "c", "b"])
      try context.performAndWait {
        let owner = try context.named("owner", ordered.owner)
        let members = owner.relatedObjects(ordered.path)
        let d = try context.named("d", ordered.member)
        owner.setRelatedObjects([members[3], d, members[0], d], at: ordered.path)
        #expect(owner.names(ordered.path) == ["b", "d", "a"])
        #expect(!members[0].isUpdated || ordered.path == Notebook.pictures)
      }
      try chain.saveAll()
      #expect(try ordered.stored(stack) == ["b", "d", "a"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a member that is removed and added again is last`(arrangement: Arrangement) throws {
    for ordered in Ordered.all {
      for readsFirst in [true, false] {
        let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
        try ordered.seed(stack, ["a", "b", "c"])
        let context = chain.leaf
        try context.performAndWait {
          let owner = try context.named("owner", ordered.owner)
          let a = try context.named("a", ordered.member)
          if readsFirst { #expect(owner.names(ordered.path) == ["a", "b", "c"]) }
          owner.remove(a, from: ordered.path)
          owner.add(a, to: ordered.path)
          owner.add(a, to: ordered.path)
          #expect(owner.names(ordered.path) == ["b", "c", "a"])
        }
        try chain.saveAll()
        #expect(try ordered.stored(stack) == ["b", "c", "a"])
      }
    }
  }

  @Test func `a moved member gets an order number between its neighbours', and other numbers stay`() throws {
    for ordered in Ordered.all {
      let stack = try Stack(model: Notebook.model)
      try ordered.seed(stack, ["a", "b", "c", "d"])
      guard stack.hasSQL else { return }
      #expect(try ordered.numbers(stack) == [2_048, 3_072, 4_096, 5_120])
      let context = stack.context()
      try context.performAndWait {
        let owner = try context.named("owner", ordered.owner)
        owner.moveObjects(of: ordered.path, at: [3], to: 1)
        let statements = try stack.statements { try context.save() }
        #expect(statements.count { $0.hasPrefix("UPDATE") && $0.contains(ordered.column.number) } == 1)
      }
      #expect(try ordered.numbers(stack) == [2_048, 2_560, 3_072, 4_096])
      #expect(try ordered.stored(stack) == ["a", "d", "b", "c"])
    }
  }

  @Test func `all members are renumbered if a gap is exhausted`() throws {
    for ordered in Ordered.all {
      let stack = try Stack(model: Notebook.model)
      try ordered.seed(stack, ["first", "last"])
      var expected = ["first", "last"]
      for number in 0..<12 {
        let context = stack.context()
        try context.performAndWait {
          let owner = try context.named("owner", ordered.owner)
          owner.insert(context.insert(ordered.member, named: "\(number)"), into: ordered.path, at: 1)
          try context.save()
        }
        expected.insert("\(number)", at: 1)
        #expect(try ordered.stored(stack) == expected)
      }
      guard stack.hasSQL else { return }
      let numbers = try ordered.numbers(stack)
      #expect(numbers.count == 14 && Set(numbers).count == 14)
      // The distance of 1,024 is halved ten times, and the eleventh member finds no free number.
      #expect(numbers[2] - numbers[1] > 100)
    }
  }

  @Test(arguments: Arrangement.all)
  func `a save keeps members that another context added, after its own`(arrangement: Arrangement) throws {
    for ordered in Ordered.all {
      let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
      try ordered.seed(stack, ["a", "b"])
      chain.root.performAndWait { chain.root.mergePolicy = .objectTrump }
      let context = chain.leaf
      try context.performAndWait {
        let owner = try context.named("owner", ordered.owner)
        owner.moveObjects(of: ordered.path, at: [1], to: 0)
        owner.insert(context.insert(ordered.member, named: "mine"), into: ordered.path, at: 1)
        #expect(owner.names(ordered.path) == ["b", "mine", "a"])
      }
      let other = stack.context("other")
      try other.performAndWait {
        try other.named("owner", ordered.owner).add(other.insert(ordered.member, named: "theirs"), to: ordered.path)
        try other.save()
      }
      try chain.saveAll()
      #expect(try ordered.stored(stack) == ["b", "mine", "a", "theirs"])
      try chain.root.performAndWait {
        try chain.root.expect(
          "owner", ordered.owner, leadsTo: ["b", "mine", "a", "theirs"], by: ordered.path)
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `a rollback restores the order, and members moved to another owner are appended`(
    arrangement: Arrangement
  ) throws {
    for ordered in Ordered.all {
      let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
      try ordered.seed(stack, ["a", "b", "c"])
      let context = chain.leaf
      try context.performAndWait {
        let owner = try context.named("owner", ordered.owner)
        owner.moveObjects(of: ordered.path, at: [0], to: 2)
        context.rollback()
        #expect(owner.names(ordered.path) == ["a", "b", "c"])
        #expect(!context.hasChanges)
        let other = context.insert(ordered.owner, named: "other")
        let b = try context.named("b", ordered.member)
        owner.remove(b, from: ordered.path)
        other.add(try context.named("c", ordered.member), to: ordered.path)
        other.add(b, to: ordered.path)
      }
      try chain.saveAll()
      let isShared = ordered.path == Notebook.pictures
      try stack.inStore { context in
        try context.expect("owner", ordered.owner, leadsTo: isShared ? ["a", "c"] : ["a"], by: ordered.path)
        try context.expect("other", ordered.owner, leadsTo: ["c", "b"], by: ordered.path)
      }
    }
  }
}

@Suite struct OrderedRelationshipTraps {
  @Test func `inserting at an index of an unordered relationship stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack(model: Notebook.model).context()
      context.performAndWait {
        context.insert(Notebook.note, named: "note")
          .insert(context.insert(Notebook.tag, named: "tag"), into: Notebook.tags, at: 0)
      }
    }
    try expectSentence("Note.tags is not ordered, so its members have no positions", from: result)
  }

  @Test func `an index outside an ordered relationship stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack(model: Notebook.model).context()
      context.performAndWait {
        context.insert(Notebook.note, named: "note")
          .insert(context.insert(Notebook.step, named: "step"), into: Notebook.steps, at: 1)
      }
    }
    try expectSentence("Note.steps has no position 1; 0 to 0 are possible", from: result)
  }
}
