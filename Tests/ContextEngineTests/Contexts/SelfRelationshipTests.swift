import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct SelfRelationshipTests {
  private func seed(_ stack: Stack) throws {
    try stack.seed { context in
      for name in ["Ada", "Ben", "Cleo", "Dora"] { context.insert(Notebook.person, named: name) }
    }
  }

  @Test(arguments: Arrangement.all)
  func `a many-to-many relationship that is its own inverse is symmetric`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try seed(stack)
    let context = chain.leaf
    try context.performAndWait {
      let people = try ["Ada", "Ben", "Cleo"].map { try context.named($0, Notebook.person) }
      people[0].add(people[1], to: Notebook.friends)
      people[2].add(people[0], to: Notebook.friends)
      people[2].add(people[2], to: Notebook.friends)
      #expect(people[0].names(Notebook.friends) == ["Ben", "Cleo"])
      #expect(people[1].names(Notebook.friends) == ["Ada"])
    }
    try chain.saveAll()
    try stack.inStore { context in
      try context.expect("Ada", Notebook.person, leadsTo: ["Ben", "Cleo"], by: Notebook.friends)
      try context.expect("Ben", Notebook.person, leadsTo: ["Ada"], by: Notebook.friends)
      try context.expect("Cleo", Notebook.person, leadsTo: ["Ada", "Cleo"], by: Notebook.friends)
    }
    if stack.hasSQL {
      #expect(
        try PlainReader(stack).rows("SELECT Z_3FRIENDS, REFLEXIVE FROM Z_3FRIENDS ORDER BY 1, 2")
          == [["1", "2"], ["1", "3"], ["2", "1"], ["3", "1"], ["3", "3"]])
    }
    try context.performAndWait {
      // The pair is removed at its other end.
      let ada = try context.named("Ada", Notebook.person)
      try context.named("Ben", Notebook.person).remove(ada, from: Notebook.friends)
      context.delete(try context.named("Cleo", Notebook.person))
      #expect(ada.relatedObjects(Notebook.friends).isEmpty)
    }
    try chain.saveAll()
    try stack.inStore { context in
      try context.expect("Ada", Notebook.person, leadsTo: [], by: Notebook.friends)
      try context.expect("Ben", Notebook.person, leadsTo: [], by: Notebook.friends)
    }
    if stack.hasSQL { #expect(try PlainReader(stack).rows("SELECT * FROM Z_3FRIENDS").isEmpty) }
  }

  @Test(arguments: Arrangement.all)
  func `a many-to-many relationship between objects of one entity has two ends`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try seed(stack)
    let context = chain.leaf
    try context.performAndWait {
      let people = try ["Ada", "Ben", "Cleo", "Dora"].map { try context.named($0, Notebook.person) }
      people[0].setRelatedObjects([people[3], people[1]], at: Notebook.mentors)
      people[0].insert(people[2], into: Notebook.mentors, at: 1)
      people[1].add(people[0], to: Notebook.mentors)
      people[0].add(people[0], to: Notebook.students)
      #expect(people[0].names(Notebook.mentors) == ["Dora", "Cleo", "Ben", "Ada"])
      #expect(people[0].names(Notebook.students) == ["Ben", "Ada"])
      #expect(people[1].names(Notebook.students) == ["Ada"])
    }
    try chain.saveAll()
    try stack.inStore { context in
      try context.expect("Ada", Notebook.person, leadsTo: ["Dora", "Cleo", "Ben", "Ada"], by: Notebook.mentors)
      try context.expect("Ada", Notebook.person, leadsTo: ["Ada", "Ben"], by: Notebook.students)
      try context.expect("Ben", Notebook.person, leadsTo: ["Ada"], by: Notebook.students)
      try context.expect("Dora", Notebook.person, leadsTo: [], by: Notebook.mentors)
    }
    try context.performAndWait { context.delete(try context.named("Ada", Notebook.person)) }
    try chain.saveAll()
    if stack.hasSQL { #expect(try PlainReader(stack).rows("SELECT * FROM Z_3MENTORS").isEmpty) }
  }

  @Test(arguments: Arrangement.all)
  func `setting a to-one relationship that is its own inverse clears both former partners`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try seed(stack)
    let context = chain.leaf
    try context.performAndWait {
      let people = try ["Ada", "Ben", "Cleo", "Dora"].map { try context.named($0, Notebook.person) }
      people[0].relate(people[1], at: Notebook.spouse)
      people[2].relate(people[3], at: Notebook.spouse)
      #expect(people.map { $0.related(Notebook.spouse)?.name } == ["Ben", "Ada", "Dora", "Cleo"])
      people[0].relate(people[2], at: Notebook.spouse)
      #expect(people.map { $0.related(Notebook.spouse)?.name } == ["Cleo", nil, "Ada", nil])
      context.delete(people[2])
      #expect(people[0].related(Notebook.spouse) == nil)
      people[3].relate(people[1], at: Notebook.spouse)
    }
    try chain.saveAll()
    try stack.inStore { context in
      let spouses = try ["Ada", "Ben", "Dora"].map { try context.named($0, Notebook.person).related(Notebook.spouse) }
      #expect(spouses.map { $0?.name } == [nil, "Dora", "Ben"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `an object of a tree is moved from either end of the relationship`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try seed(stack)
    let context = chain.leaf
    try context.performAndWait {
      let people = try ["Ada", "Ben", "Cleo", "Dora"].map { try context.named($0, Notebook.person) }
      people[0].setRelatedObjects([people[1], people[2]], at: Notebook.children)
      people[3].relate(people[1], at: Notebook.parent)
      people[1].add(people[2], to: Notebook.children)
      #expect(people[0].names(Notebook.children) == ["Ben"])
    }
    try chain.saveAll()
    try stack.inStore { context in
      try context.expect("Ada", Notebook.person, leadsTo: ["Ben"], by: Notebook.children)
      try context.expect("Ben", Notebook.person, leadsTo: ["Cleo", "Dora"], by: Notebook.children)
    }
  }
}
