import ContextEngine

/// Members whose mail addresses are unique, and their names as pairs; guests are members too.
enum Roster {
  static let model = ManagedObjectModel([
    .init(
      "Member",
      attributes: [
        .init("mail", .string), .init("first", .string), .init("last", .string),
        .init("age", .integer64), .init("note", .string, defaultValue: .string("none")),
      ],
      relationships: [
        .init("team", to: "Team", inverse: "members"),
        .init("badges", to: "Badge", inverse: "member", isToMany: true, deleteRule: .cascade),
      ],
      uniquenessConstraints: [["mail"], ["first", "last"]]),
    .init("Guest", attributes: [.init("until", .date)], superentity: "Member"),
    .init(
      "Team", attributes: [.init("name", .string)],
      relationships: [.init("members", to: "Member", inverse: "team", isToMany: true)],
      uniquenessConstraints: [["name"]]),
    .init(
      "Badge", attributes: [.init("number", .integer64)],
      relationships: [.init("member", to: "Member", inverse: "badges")]),
  ])
  static let member = model.entity("Member")
  static let guest = model.entity("Guest")
  static let team = model.entity("Team")
  static let badge = model.entity("Badge")
  static let mail = member.path("mail")
  static let first = member.path("first")
  static let last = member.path("last")
  static let age = member.path("age")
  static let note = member.path("note")
  static let inTeam = member.path("team")
  static let badges = member.path("badges")
  static let ofMember = badge.path("member")
  static let number = badge.path("number")
}

extension ManagedObjectContext {
  @discardableResult
  func insertMember(_ mail: String?, age: Int64? = nil, note: String? = nil) -> ManagedObject {
    let member = insert(Roster.member)
    if let mail { member[Roster.mail] = .string(mail) }
    if let age { member[Roster.age] = .integer(age) }
    if let note { member[Roster.note] = .string(note) }
    return member
  }

  func members() throws(PersistenceError) -> [ManagedObject] {
    Array(try fetch(FetchRequest(Roster.member, sortDescriptors: [FetchSortDescriptor(Roster.mail)])))
  }

  func member(_ mail: String) throws(PersistenceError) -> ManagedObject? {
    try fetch(FetchRequest(Roster.member, predicate: .equal(Roster.mail, .string(mail)))).first
  }
}
