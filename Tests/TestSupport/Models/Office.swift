import ContextEngine

/// A model for tests of validation and of delete rules, with every rule of both kinds. Its entities are Department,
/// Employee, Room, Desk and Badge.
package enum Office {
  package static let model = ManagedObjectModel([
    .init(
      "Department",
      attributes: [
        .init("name", .string, validation: ValidationRules(minimumLength: 2, maximumLength: 8)),
        .init("code", .string, validation: ValidationRules(pattern: "[A-Z]{2}[0-9]+|X")),
        .init("budget", .double, validation: ValidationRules(minimum: .double(0), maximum: .double(100))),
        .init("seats", .integer64, validation: ValidationRules(minimum: .integer(1), maximum: .integer(9))),
        .init("openedAt", .date, validation: ValidationRules(minimum: .date(0), maximum: .date(1000))),
      ],
      relationships: [
        .init("employees", to: "Employee", inverse: "department", isToMany: true, deleteRule: .deny, maxCount: 3),
        .init("rooms", to: "Room", inverse: "department", isToMany: true, deleteRule: .noAction, minCount: 2),
      ]),
    .init(
      "Employee", attributes: [.init("name", .string)],
      relationships: [
        .init("department", to: "Department", inverse: "employees"),
        .init("desk", to: "Desk", inverse: "employee", deleteRule: .deny),
        .init("badges", to: "Badge", inverse: "employee", isToMany: true, isOptional: false, minCount: 1),
      ]),
    .init(
      "Room", attributes: [.init("name", .string)],
      relationships: [.init("department", to: "Department", inverse: "rooms", deleteRule: .noAction)]),
    .init(
      "Desk", attributes: [.init("name", .string)],
      relationships: [.init("employee", to: "Employee", inverse: "desk")]),
    .init(
      "Badge", attributes: [.init("number", .integer64)],
      relationships: [.init("employee", to: "Employee", inverse: "badges", isOptional: false)]),
  ])

  package static let department = model.entity("Department")
  package static let employee = model.entity("Employee")
  package static let room = model.entity("Room")
  package static let desk = model.entity("Desk")
  package static let badge = model.entity("Badge")

  package static let employees = department.path("employees")
  package static let rooms = department.path("rooms")
  package static let departmentOfEmployee = employee.path("department")
  package static let departmentOfRoom = room.path("department")
  package static let deskOfEmployee = employee.path("desk")
  package static let employeeOfBadge = badge.path("employee")
}

extension ManagedObjectContext {
  /// Inserts an employee with a badge, which can be saved.
  @discardableResult
  package func insertEmployee(_ name: String, in department: ManagedObject? = nil) -> ManagedObject {
    let employee = insert(Office.employee)
    employee["name"] = .string(name)
    insert(Office.badge).relate(employee, at: Office.employeeOfBadge)
    if let department { employee.relate(department, at: Office.departmentOfEmployee) }
    return employee
  }

  /// Returns the only object of an entity.
  package func only(_ entity: EntityDescription) throws -> ManagedObject? {
    let found = try fetch(FetchRequest(entity))
    return found.count == 1 ? found[0] : nil
  }
}
