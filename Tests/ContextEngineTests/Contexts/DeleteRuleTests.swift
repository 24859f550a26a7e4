import ContextEngine
import TestSupport
import Testing

/// The delete rules deny and no action; nullify and cascade are in `DeletionTests`.
@Suite struct DeleteRuleTests {
  private func seed(_ stack: Stack) throws {
    try stack.seed { context in
      let sales = context.insert(Office.department)
      for number in 0..<2 {
        context.insertEmployee("employee \(number)", in: sales)
        context.insert(Office.room).relate(sales, at: Office.departmentOfRoom)
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `deny fails the save of a deletion while a related object exists`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Office.model)
    try seed(stack)
    let context = chain.leaf
    try context.performAndWait {
      let sales = try #require(try context.only(Office.department))
      let employees = sales.relatedObjects(Office.employees)
      context.delete(sales)
      #expect(sales.isDeleted && employees.allSatisfy { !$0.hasChanges })

      var error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validationRelationshipDeniedDelete && error?.code.rawValue == 1600)
      #expect(error?.failures.map(\.propertyName) == ["employees"] && error?.objectIDs == [sales.objectID])
      #expect(sales.isDeleted && context.deletedObjects == [sales])

      employees[0].relate(nil, at: Office.departmentOfEmployee)
      error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validationRelationshipDeniedDelete)

      employees[1].relate(nil, at: Office.departmentOfEmployee)
      try context.save()
    }
    try chain.saveAll()
    let left = try stack.inStore {
      [
        try $0.fetch(FetchRequest(Office.department)).count,
        try $0.fetch(FetchRequest(Office.employee)).count,
      ]
    }
    #expect(left == [0, 2])
  }

  @Test(arguments: Arrangement.all)
  func `deny permits a deletion together with the related objects`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Office.model)
    try stack.seed { context in
      let ann = context.insertEmployee("Ann")
      ann.relate(context.insert(Office.desk), at: Office.deskOfEmployee)
    }
    let context = chain.leaf
    try context.performAndWait {
      let ann = try #require(try context.only(Office.employee))
      let desk = try #require(ann.related(Office.deskOfEmployee))
      for badge in ann.relatedObjects(Office.employee.path("badges")) { context.delete(badge) }
      context.delete(ann)
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.failures.map(\.propertyName) == ["desk"])
      context.delete(desk)
      try context.save()
    }
    try chain.saveAll()
    let left = try stack.inStore { try $0.fetch(FetchRequest(Office.employee)).count }
    #expect(left == 0)
  }

  @Test(arguments: Arrangement.all)
  func `no action keeps references to the deleted row and runs no statements`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Office.model)
    try stack.seed { context in
      let sales = context.insert(Office.department)
      for _ in 0..<2 { context.insert(Office.room).relate(sales, at: Office.departmentOfRoom) }
    }
    let context = chain.leaf
    try context.performAndWait {
      let sales = try #require(try context.only(Office.department))
      #expect(sales.relatedObjects(Office.employees).isEmpty)
      try sales.fulfillFault()
      stack.expectStatements(0) { context.delete(sales) }
      #expect(context.updatedObjects.isEmpty)
      try context.save()
    }
    try chain.saveAll()
    try stack.inStore { context in
      let rooms = try context.fetch(FetchRequest(Office.room))
      #expect(rooms.count == 2)
      for room in rooms {
        let gone = try #require(room.related(Office.departmentOfRoom))
        #expect(gone["name"] == .null && gone.isDeleted)
      }
    }
  }
}
