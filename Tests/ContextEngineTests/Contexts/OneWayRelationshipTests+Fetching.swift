import ContextEngine
import Foundation
import PredicateFormats
import TestSupport
import Testing

/// These tests cover fetches, merges, undo, validation and merge policies with relationships without an inverse.
extension OneWayRelationshipTests {
  @Test func `relationships without an inverse are prefetched`() throws {
    let (stack, _) = try makeStack()
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest(League.team)
      request.relationshipKeyPathsForPrefetching = [
        PropertyKeyPath(League.coach), PropertyKeyPath(League.players), PropertyKeyPath(League.matches),
      ]
      let teams = Array(try context.fetch(request))
      stack.expectStatements(0) {
        for team in teams {
          #expect(team.related(League.coach)?.name == "Cora")
          for path in [League.players, League.matches] {
            #expect(team.names(path).count == (team.name == "Reds" ? 3 : 0))
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      ("coach.name == 'Cora'", ["Blues", "Reds"]), ("coach == NULL", []), ("ANY players.name == 'Kim'", ["Reds"]),
      ("players.@count == 3", ["Reds"]), ("players.@count == 0", ["Blues"]), ("rival.name == 'Blues'", ["Reds"]),
      ("SUBQUERY(matches, $m, $m.name BEGINSWITH 't').@count == 1", ["Reds"]),
      ("NONE juniors.name == 'x'", ["Blues", "Reds"]),
    ])
  func `predicates follow relationships without an inverse`(format: String, expected: [String]) throws {
    let (stack, chain) = try makeStack(Arrangement(depth: 1, poolSize: 1))
    let predicate = try FetchPredicate(format: format, argumentArray: [], for: League.team, in: League.model)
    for context in chain.contexts + [stack.context()] {
      let found = try context.performAndWait {
        names(Array(try context.fetch(FetchRequest(League.team, predicate: predicate))))
      }
      #expect(found == expected)
    }
  }

  @Test func `derived attributes follow relationships without an inverse`() throws {
    let (stack, _) = try makeStack()
    let context = stack.context()
    func derived(_ name: String) throws -> [Value] {
      try stack.inStore { context throws in
        let team = try context.named(name, League.team)
        return [team["coachName"], team["playerCount"]]
      }
    }
    #expect(try derived("Reds") == ["Cora", 3] && (try derived("Blues")) == ["Cora", 0])
    try context.performAndWait {
      try context.named("Cora", League.person)["name"] = "Nora"
      context.delete(try context.named("Kim", League.person))
      try context.save()
    }
    #expect(try derived("Reds") == ["Nora", 2] && (try derived("Blues")) == ["Nora", 0])
  }

  // MARK: Merging, undoing and validating

  @Test func `a merge shows changes of relationships without an inverse`() throws {
    let (stack, _) = try makeStack()
    let (main, worker) = (stack.context("main"), stack.context("worker"))
    let saves = Journal<SaveNotification>()
    let token = worker.observeDidSave { saves.write($0) }
    try main.performAndWait {
      let reds = try main.named("Reds", League.team)
      let blues = try main.named("Blues", League.team)
      #expect(reds.relatedObjects(League.players).count == 3 && blues.relatedObjects(League.players).isEmpty)
      try worker.performAndWait {
        let reds = try worker.named("Reds", League.team)
        reds.relate(try worker.named("Ada", League.person), at: League.coach)
        try worker.named("Blues", League.team).add(try worker.named("Kim", League.person), to: League.players)
        reds.moveObjects(of: League.matches, at: [2], to: 0)
        try worker.save()
      }
      main.mergeChanges(fromContextDidSave: try #require(saves.entries.first))
      #expect(
        reds.related(League.coach)?.name == "Ada" && names(reds.relatedObjects(League.players)) == ["Ada", "Bea"])
      #expect(blues.names(League.players) == ["Kim"] && reds.names(League.matches) == ["third", "first", "second"])
    }
    token.cancel()
    try stack.coordinator.checkInvariants(over: [main, worker])
  }

  @Test(arguments: Arrangement.all)
  func `changes of relationships without an inverse are undone, redone and refreshed`(arrangement: Arrangement) throws {
    let (stack, chain) = try makeStack(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      let reds = try context.named("Reds", League.team)
      let kim = try context.named("Kim", League.person)
      reds.relate(kim, at: League.coach)
      reds.remove(kim, from: League.players)
      reds.moveObjects(of: League.matches, at: [0], to: 2)
      context.processPendingChanges()
      func check(isChanged: Bool) {
        #expect(reds.related(League.coach)?.name == (isChanged ? "Kim" : "Cora"))
        #expect(names(reds.relatedObjects(League.players)) == (isChanged ? ["Ada", "Bea"] : ["Ada", "Bea", "Kim"]))
        #expect(
          reds.names(League.matches) == (isChanged ? ["second", "third", "first"] : ["first", "second", "third"]))
      }
      check(isChanged: true)
      context.undo()
      check(isChanged: false)
      context.redo()
      check(isChanged: true)
      try context.refresh(reds, mergeChanges: true)
      check(isChanged: true)
      context.rollback()
      check(isChanged: false)
      context.delete(reds)
      context.processPendingChanges()
      context.undo()
      check(isChanged: false)
    }
    try stack.coordinator.checkInvariants(over: chain.contexts)
  }

  @Test func `the bounds of a to-many relationship without an inverse are checked`() throws {
    let (stack, _) = try makeStack()
    let context = stack.context()
    try context.performAndWait {
      let reds = try context.named("Reds", League.team)
      for name in ["one", "two", "three"] { reds.add(context.insert(League.sponsor, named: name), to: League.sponsors) }
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validationRelationshipExceedsMaximumCount)
      reds.remove(reds.relatedObjects(League.sponsors)[0], from: League.sponsors)
      try context.save()
    }
  }

  @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
  func `an object that becomes part of another passes on its relationships without an inverse`(
    policy: MergePolicy
  ) throws {
    let (stack, _) = try makeStack()
    let context = stack.context()
    context.mergePolicy = policy
    try context.performAndWait {
      let twin = context.insert(League.team, named: "Reds")
      twin.add(context.insert(League.person, named: "Zoe"), to: League.players)
      context.insert(League.team, named: "Whites").relate(twin, at: League.rival)
      try context.save()
    }
    try stack.inStore { context throws in
      let reds = try context.named("Reds", League.team)
      #expect(names(reds.relatedObjects(League.players)) == ["Ada", "Bea", "Kim", "Zoe"])
      #expect(try context.named("Whites", League.team).related(League.rival) === reds)
    }
  }

  @Test(arguments: MergePolicy.allCases)
  func `merge policies decide on relationships without an inverse`(policy: MergePolicy) throws {
    let (stack, _) = try makeStack()
    let (first, second) = (stack.context("first"), stack.context("second"))
    second.mergePolicy = policy
    for (context, name) in [(second, "Ada"), (first, "Bea")] {
      try context.performAndWait {
        try context.named("Reds", League.team).relate(try context.named(name, League.person), at: League.coach)
      }
    }
    try first.performAndWait { try first.save() }
    do {
      try second.performAndWait { try second.save() }
      #expect(policy != .error)
    } catch let error as PersistenceError where policy == .error {
      #expect(error.code == .managedObjectMerge)
    }
    let coach = try stack.inStore { try $0.named("Reds", League.team).related(League.coach)?.name }
    #expect(coach == ([.objectTrump, .overwrite].contains(policy) ? "Ada" : "Bea"))
  }
}
