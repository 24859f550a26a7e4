import ContextEngine
import Foundation
import TestSupport
import Testing

/// Relationships without an inverse.
@Suite(.onBothStores, .namingTheStore) struct OneWayRelationshipTests {
  /// Reds and Blues share a coach. Reds have three players, one of them a keeper, and three matches.
  func makeStack(_ arrangement: Arrangement = .all[0]) throws -> (Stack, Chain) {
    let (stack, chain) = try arrangement.makeStack(model: League.model)
    try stack.seed { context in
      let reds = context.insert(League.team, named: "Reds")
      let blues = context.insert(League.nationalTeam, named: "Blues")
      let coach = context.insert(League.person, named: "Cora")
      for team in [reds, blues] { team.relate(coach, at: League.coach) }
      for name in ["Ada", "Bea"] { reds.add(context.insert(League.person, named: name), to: League.players) }
      reds.add(context.insert(League.keeper, named: "Kim"), to: League.players)
      for name in ["first", "second", "third"] {
        reds.add(context.insert(League.match, named: name), to: League.matches)
      }
      reds.relate(blues, at: League.rival)
    }
    return (stack, chain)
  }

  private func version(of name: String, _ context: ManagedObjectContext) throws -> Int64? {
    let person = try context.named(name, League.person)
    try person.fulfillFault()
    return person.snapshot?.version
  }

  func names(_ objects: [ManagedObject]) -> [String] { objects.map(\.name).sorted() }

  // MARK: Reading and changing

  @Test(arguments: Arrangement.all)
  func `relationships without an inverse are kept and read in every context`(arrangement: Arrangement) throws {
    let (stack, chain) = try makeStack(arrangement)
    try chain.leaf.performAndWait {
      let reds = try chain.leaf.named("Reds", League.team)
      let blues = try chain.leaf.named("Blues", League.team)
      #expect(reds.related(League.coach)?.name == "Cora" && blues.related(League.coach) === reds.related(League.coach))
      #expect(names(reds.relatedObjects(League.players)) == ["Ada", "Bea", "Kim"])
      #expect(reds.names(League.matches) == ["first", "second", "third"])
      #expect(reds.related(League.rival) === blues && blues.related(League.rival) == nil)
      #expect(blues.relatedObjects(League.players).isEmpty && reds.related(League.home) == nil)
      let greens = chain.leaf.insert(League.team, named: "Greens")
      greens.relate(chain.leaf.insert(League.keeper, named: "Kay"), at: League.coach)
      greens.add(chain.leaf.insert(League.match, named: "last"), to: League.matches)
      greens.insert(chain.leaf.insert(League.match, named: "opening"), into: League.matches, at: 0)
    }
    try chain.saveAll()
    try stack.inStore { context throws in
      let greens = try context.named("Greens", League.team)
      #expect(greens.related(League.coach)?.entity === League.keeper)
      #expect(greens.names(League.matches) == ["opening", "last"])
    }
    try stack.coordinator.checkInvariants(over: chain.contexts)
  }

  @Test(arguments: Arrangement.all)
  func `setting a to-one relationship without an inverse leaves both targets unchanged and unread`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try makeStack(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let reds = try context.named("Reds", League.team)
      let ada = try context.named("Ada", League.person)
      let cora = try #require(reds.related(League.coach))
      for person in [ada, cora] { try context.refresh(person, mergeChanges: false) }
      reds.relate(ada, at: League.coach)
      #expect(ada.isFault && cora.isFault && context.updatedObjects == [reds])
      #expect(reds.changedValues().keys.sorted() == ["coach"])
    }
    let before = try stack.inStore { try self.version(of: "Ada", $0) }
    try chain.saveAll()
    try stack.inStore { context throws in
      #expect(try context.named("Reds", League.team).related(League.coach)?.name == "Ada")
      #expect(try context.named("Blues", League.team).related(League.coach)?.name == "Cora")
      #expect(try self.version(of: "Ada", context) == before)
    }
  }

  @Test(arguments: Arrangement.all)
  func `an object that is added to another owner's to-many relationship leaves the first`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try makeStack(arrangement)
    try chain.leaf.performAndWait {
      let reds = try chain.leaf.named("Reds", League.team)
      let blues = try chain.leaf.named("Blues", League.team)
      let kim = try chain.leaf.named("Kim", League.person)
      blues.add(kim, to: League.players)
      blues.add(try chain.leaf.named("second", League.match), to: League.matches)
      #expect(names(reds.relatedObjects(League.players)) == ["Ada", "Bea"] && blues.names(League.players) == ["Kim"])
      reds.moveObjects(of: League.matches, at: [1], to: 0)
      #expect(reds.names(League.matches) == ["third", "first"])
      reds.remove(try chain.leaf.named("Ada", League.person), from: League.players)
    }
    try chain.saveAll()
    try stack.inStore { context throws in
      let reds = try context.named("Reds", League.team)
      let blues = try context.named("Blues", League.team)
      #expect(reds.names(League.players) == ["Bea"] && blues.names(League.players) == ["Kim"])
      #expect(reds.names(League.matches) == ["third", "first"] && blues.names(League.matches) == ["second"])
    }
    try stack.coordinator.checkInvariants(over: chain.contexts)
  }

  @Test func `the member of a to-many relationship without an inverse has no property for it`() throws {
    let (stack, _) = try makeStack()
    #expect(League.person.pathIfPresent("players") == nil && League.person.relationshipsByName.isEmpty)
    #expect(League.person.relationships.isEmpty && League.keeper.pathIfPresent("players") == nil)
    let context = stack.context()
    try context.performAndWait {
      let ada = try context.named("Ada", League.person)
      try context.named("Blues", League.team).add(ada, to: League.players)
      #expect(ada.changedValues().isEmpty && ada.changedValuesForCurrentEvent().isEmpty)
      #expect(ada.committedValues() == ["name": "Ada"] && !ada.hasPersistentChangedValues)
      try context.save()
    }
  }

  @Test(arguments: Arrangement.all)
  func `a relationship without an inverse may lead to the same entity or the same object`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try makeStack(arrangement)
    try chain.leaf.performAndWait {
      let reds = try chain.leaf.named("Reds", League.team)
      reds.relate(reds, at: League.rival)
      for name in ["Red juniors", "Red girls"] {
        reds.add(chain.leaf.insert(League.team, named: name), to: League.juniors)
      }
      reds.relatedObjects(League.juniors)[0].add(reds, to: League.juniors)
    }
    try chain.saveAll()
    try stack.inStore { context throws in
      let reds = try context.named("Reds", League.team)
      #expect(reds.related(League.rival) === reds)
      #expect(names(reds.relatedObjects(League.juniors)) == ["Red girls", "Red juniors"])
      #expect(try context.fetch(FetchRequest(League.team)).count { !$0.relatedObjects(League.juniors).isEmpty } == 2)
    }
  }

  // MARK: Deleting

  @Test(arguments: Arrangement.all)
  func `deleting the owner carries out the rules of its relationships without an inverse`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try makeStack(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let reds = try context.named("Reds", League.team)
      reds.relate(context.insert(League.stadium, named: "Park"), at: League.home)
      reds.relate(try context.named("Cora", League.person), at: League.founder)
      reds.add(context.insert(League.sponsor, named: "Bank"), to: League.sponsors)
    }
    try chain.saveAll()
    try context.performAndWait { context.delete(try context.named("Reds", League.team)) }
    try chain.saveAll()
    try stack.inStore { context throws in
      // Nullify keeps the players, cascade deletes the matches and the stadium, no action keeps all.
      #expect(names(Array(try context.fetch(FetchRequest(League.person)))) == ["Ada", "Bea", "Cora", "Kim"])
      #expect(try context.count(for: FetchRequest(League.match)) == 0)
      #expect(try context.count(for: FetchRequest(League.stadium)) == 0)
      #expect(try context.count(for: FetchRequest(League.sponsor)) == 1)
    }
  }

  @Test(arguments: [League.permit, League.juniors])
  func `deny keeps an owner whose relationship without an inverse leads to an object`(path: PropertyPath) throws {
    let (stack, _) = try makeStack()
    let context = stack.context()
    try context.performAndWait {
      let reds = try context.named("Reds", League.team)
      if path.isToMany {
        reds.add(context.insert(League.team, named: "Juniors"), to: path)
      } else {
        reds.relate(context.insert(League.license, named: "A"), at: path)
      }
      try context.save()
      context.delete(reds)
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validationRelationshipDeniedDelete)
      #expect(error?.failures.map(\.propertyName) == [League.team.propertyName(at: path)])
    }
  }

  @Test(arguments: [true, false])
  func `a to-one relationship leads to a missing object after its target was deleted`(deletesFaults: Bool) throws {
    let (stack, _) = try makeStack()
    let context = stack.context()
    context.shouldDeleteInaccessibleFaults = deletesFaults
    try context.performAndWait {
      let reds = try context.named("Reds", League.team)
      let other = stack.context("other")
      try other.performAndWait {
        other.delete(try other.named("Cora", League.person))
        #expect(other.updatedObjects.isEmpty)
        try other.save()
      }
      let cora = try #require(reds.related(League.coach))
      if deletesFaults {
        #expect(cora[League.person.path("name")] == .null && cora.isDeleted)
      } else {
        let error = #expect(throws: PersistenceError.self) { try cora.fulfillFault() }
        #expect(error?.code == .referentialIntegrity)
      }
      #expect(!reds.hasChanges && reds.related(League.coach) != nil)
      reds.relate(nil, at: League.coach)
      try context.save()
    }
    #expect(try stack.inStore { try $0.named("Reds", League.team).related(League.coach) } == nil)
    #expect(try stack.inStore { try $0.named("Blues", League.team).related(League.coach) } != nil)
  }

  @Test func `a save does not write a reference to a new object that was deleted`() throws {
    let (stack, _) = try makeStack()
    let context = stack.context()
    try context.performAndWait {
      let reds = try context.named("Reds", League.team)
      let new = context.insert(League.person, named: "New")
      reds.relate(new, at: League.coach)
      context.delete(new)
      try context.save()
      #expect(reds.related(League.coach) == nil)
    }
    #expect(try stack.inStore { try $0.named("Reds", League.team).related(League.coach) } == nil)
  }

  @Test(arguments: Arrangement.all)
  func `a deleted member leaves a to-many relationship without an inverse`(arrangement: Arrangement) throws {
    let (stack, chain) = try makeStack(arrangement)
    try chain.leaf.performAndWait {
      let reds = try chain.leaf.named("Reds", League.team)
      chain.leaf.delete(try chain.leaf.named("Bea", League.person))
      chain.leaf.delete(try chain.leaf.named("second", League.match))
      #expect(names(reds.relatedObjects(League.players)) == ["Ada", "Kim"])
      #expect(reds.names(League.matches) == ["first", "third"])
    }
    try chain.saveAll()
    try stack.inStore { context throws in
      #expect(names(try context.named("Reds", League.team).relatedObjects(League.players)) == ["Ada", "Kim"])
    }
    try stack.coordinator.checkInvariants(over: chain.contexts)
  }
}
