import ContextEngine

/// A model for tests of uniqueness constraints. A Member has a unique mail address and a unique pair of names, and
/// Guest inherits from it. A Team has a unique name. A Badge has no constraint.
package enum Roster {
  package static let model = ManagedObjectModel([
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
  package static let member = model.entity("Member")
  package static let guest = model.entity("Guest")
  package static let team = model.entity("Team")
  package static let badge = model.entity("Badge")
  package static let mail = member.path("mail")
  package static let first = member.path("first")
  package static let last = member.path("last")
  package static let age = member.path("age")
  package static let note = member.path("note")
  package static let inTeam = member.path("team")
  package static let badges = member.path("badges")
  package static let ofMember = badge.path("member")
  package static let number = badge.path("number")
}

extension ManagedObjectContext {
  @discardableResult
  package func insertMember(_ mail: String?, age: Int64? = nil, note: String? = nil) -> ManagedObject {
    let member = insert(Roster.member)
    if let mail { member[Roster.mail] = .string(mail) }
    if let age { member[Roster.age] = .integer(age) }
    if let note { member[Roster.note] = .string(note) }
    return member
  }

  package func members() throws(PersistenceError) -> [ManagedObject] {
    Array(try fetch(FetchRequest(Roster.member, sortDescriptors: [FetchSortDescriptor(Roster.mail)])))
  }

  package func member(_ mail: String) throws(PersistenceError) -> ManagedObject? {
    try fetch(FetchRequest(Roster.member, predicate: .equal(Roster.mail, .string(mail)))).first
  }
}
