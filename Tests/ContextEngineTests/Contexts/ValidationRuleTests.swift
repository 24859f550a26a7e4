import ContextEngine
import TestSupport
import Testing

/// Rules that attributes and relationships declare, validated by a save. Codes and rules are those of Core Data's
/// headers.
@Suite struct ValidationRuleTests {
  struct Breach: Sendable, CustomStringConvertible {
    var property: String
    var value: Value
    var code: Int

    var description: String { "\(property) = \(value): \(code)" }

    static let all = [
      Breach(property: "name", value: "A", code: 1670), Breach(property: "name", value: "Accountancy", code: 1660),
      // A character outside the Basic Multilingual Plane counts as two.
      Breach(property: "name", value: "👩👩👩👩👩", code: 1660),
      Breach(property: "code", value: "ab1", code: 1680), Breach(property: "code", value: "AB1 ", code: 1680),
      Breach(property: "code", value: "XAB1", code: 1680), Breach(property: "code", value: "AB1\n", code: 1680),
      Breach(property: "budget", value: .double(-0.5), code: 1620),
      Breach(property: "budget", value: .double(100.5), code: 1610),
      Breach(property: "seats", value: 0, code: 1620), Breach(property: "seats", value: 10, code: 1610),
      Breach(property: "openedAt", value: .date(-1), code: 1640),
      Breach(property: "openedAt", value: .date(1001), code: 1630),
    ]
  }

  @Test(arguments: Breach.all, [0, 1])
  func `a value that violates an attribute's rule fails the save of its object`(breach: Breach, depth: Int) throws {
    let stack = try Stack(model: Office.model)
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let department = context.insert(Office.department)
      department[breach.property] = breach.value
      for _ in 0..<2 {
        let error = #expect(throws: PersistenceError.self) { try context.save() }
        #expect(error?.code.rawValue == breach.code)
        #expect(error?.objectIDs == [department.objectID])
        let failure = try #require(error?.failures.first)
        #expect(error?.failures.count == 1 && failure.value == breach.value)
        #expect(failure.entityName == "Department" && failure.propertyName == breach.property)
        #expect(error?.message.contains("Department.\(breach.property)") == true)
        // A null value satisfies every rule.
        department[breach.property] = .null
        try context.save()
        department[breach.property] = breach.value
      }
    }
  }

  @Test func `values at the bounds are saved`() throws {
    let stack = try Stack(model: Office.model)
    let context = stack.context()
    try context.performAndWait {
      for (name, value) in [
        ("name", Value.string("IT")), ("name", "Planning"), ("code", "X"), ("code", "AB12"), ("budget", .double(0)),
        ("budget", .double(100)), ("seats", 1), ("seats", 9), ("openedAt", .date(0)), ("openedAt", .date(1000)),
      ] {
        context.insert(Office.department)[name] = value
      }
      try context.save()
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a save's error lists all failures, with new objects first and deleted ones last`(depth: Int) throws {
    let stack = try Stack(model: Office.model)
    try stack.seed { context in
      let department = context.insert(Office.department)
      department["name"] = "Sales"
      context.insertEmployee("Ann", in: department)
    }
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let ann = try #require(try context.only(Office.employee))
      let sales = try #require(try context.only(Office.department))
      context.delete(sales)
      for badge in ann.relatedObjects(Office.employee.path("badges")) { context.delete(badge) }
      let planning = context.insert(Office.department)
      planning["seats"] = 20
      planning["name"] = "P"
      let badge = context.insert(Office.badge)
      let error = try #require(#expect(throws: PersistenceError.self) { try context.save() })
      #expect(error.code == .validationMultipleErrors && error.code.rawValue == 1560)
      #expect(error.failures.map(\.code.rawValue) == [1670, 1610, 1570, 1580, 1600])
      #expect(
        error.failures.map(\.objectID)
          == [planning.objectID, planning.objectID, badge.objectID, ann.objectID, sales.objectID])
      #expect(error.objectIDs == error.failures.map(\.objectID))
      #expect(error.failures.map(\.propertyName) == ["name", "seats", "employee", "badges", "employees"])
      #expect(error.failures.map(\.value) == ["P", 20, .null, .null, .null])
      // The failed save discards no changes.
      #expect(context.insertedObjects == [planning, badge] && context.deletedObjects.first === sales)
    }
  }

  @Test(arguments: [0, 1])
  func `a relationship with too few or too many members fails the save`(depth: Int) throws {
    let stack = try Stack(model: Office.model)
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let department = context.insert(Office.department)
      // The relationship is optional and empty, so the minimum does not apply.
      try context.save()
      let room = context.insert(Office.room)
      room.relate(department, at: Office.departmentOfRoom)
      var error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validationRelationshipLacksMinimumCount && error?.code.rawValue == 1580)
      context.insert(Office.room).relate(department, at: Office.departmentOfRoom)
      try context.save()

      let employees = (0..<4).map { context.insertEmployee("employee \($0)", in: department) }
      error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validationRelationshipExceedsMaximumCount && error?.code.rawValue == 1590)
      #expect(error?.failures.map(\.propertyName) == ["employees"])
      employees[0].relate(nil, at: Office.departmentOfEmployee)
      try context.save()
    }
  }

  @Test func `a to-many relationship that is not optional may be empty if it has no minimum`() throws {
    let model = ManagedObjectModel([
      .init(
        "Shelf", attributes: [.init("code", .string)],
        relationships: [.init("books", to: "Book", inverse: "shelf", isToMany: true, isOptional: false)]),
      .init(
        "Book", attributes: [.init("code", .string)],
        relationships: [.init("shelf", to: "Shelf", inverse: "books")]),
    ])
    let context = try Stack(model: model).context()
    try context.performAndWait {
      _ = context.insert(model.entity("Shelf"))
      try context.save()
    }
  }

  @Test func `validateForInsert, validateForUpdate and validateValue throw without a save`() throws {
    let stack = try Stack(model: Office.model)
    let context = stack.context()
    try context.performAndWait {
      let department = context.insert(Office.department)
      let seats = Office.department.path("seats")
      try department.validateForInsert()
      var value = Value.integer(10)
      var error = #expect(throws: PersistenceError.self) { try department.validateValue(&value, at: seats) }
      #expect(error?.code == .validationNumberTooLarge)
      #expect(department[seats] == .null)
      department[seats] = 10
      error = #expect(throws: PersistenceError.self) { try department.validateForInsert() }
      #expect(error?.code == .validationNumberTooLarge)
      error = #expect(throws: PersistenceError.self) { try department.validateForUpdate() }
      #expect(error?.code == .validationNumberTooLarge)
      try department.validateForDelete()
      value = .integer(5)
      try department.validateValue(&value, at: seats)
      value = .null
      let name = Library.model.entity("Chapter").path("title")
      let chapter = try Stack().context()
      chapter.performAndWait {
        let object = chapter.insert(Chapter.entity)
        var nothing = Value.null
        let error = #expect(throws: PersistenceError.self) { try object.validateValue(&nothing, at: name) }
        #expect(error?.code == .validationMissingMandatoryProperty)
      }
    }
  }

  @Test func `a rule that is invalid for its attribute stops the process`() async throws {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AttributeDescription("age", .integer64, validation: ValidationRules(pattern: "[0-9]+"))
    }
    try expectSentence(
      "validation of attribute age is contradictory: lengths and patterns are for strings", from: result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AttributeDescription("age", .integer64, validation: ValidationRules(minimum: 5, maximum: 4))
    }
    try expectSentence("its minimum is above its maximum", from: result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AttributeDescription("name", .string, validation: ValidationRules(pattern: "[a"))
    }
    try expectSentence("its pattern [a is not a regular expression", from: result)
  }
}
