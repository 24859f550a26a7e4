import ContextEngine

/// A model for tests of relationships without an inverse: to-one and to-many, ordered, to the same entity, to entities
/// that others inherit from, and with each delete rule.
package enum League {
  package static let model = ManagedObjectModel([
    .init(
      "Team",
      attributes: [
        .init("name", .string), .init("coachName", .string, derivationExpression: "coach.name"),
        .init("playerCount", .integer64, derivationExpression: "players.@count"),
      ],
      relationships: [
        .init("coach", to: "Person", inverse: nil), .init("stadium", to: "Stadium", inverse: nil, deleteRule: .cascade),
        .init("license", to: "License", inverse: nil, deleteRule: .deny),
        .init("founder", to: "Person", inverse: nil, deleteRule: .noAction), .init("rival", to: "Team", inverse: nil),
        .init("players", to: "Person", inverse: nil, isToMany: true),
        .init("matches", to: "Match", inverse: nil, isToMany: true, isOrdered: true, deleteRule: .cascade),
        .init("juniors", to: "Team", inverse: nil, isToMany: true, deleteRule: .deny),
        .init("sponsors", to: "Sponsor", inverse: nil, isToMany: true, deleteRule: .noAction, maxCount: 2),
      ], uniquenessConstraints: [["name"]]),
    .init("NationalTeam", attributes: [.init("country", .string)], superentity: "Team"),
    .init("Person", attributes: [.init("name", .string)]),
    .init("Keeper", attributes: [.init("saves", .integer64)], superentity: "Person"),
    .init("Stadium", attributes: [.init("name", .string)]),
    .init("License", attributes: [.init("name", .string)]),
    .init("Match", attributes: [.init("name", .string)]),
    .init("Sponsor", attributes: [.init("name", .string)]),
  ])

  package static let team = model.entity("Team")
  package static let nationalTeam = model.entity("NationalTeam")
  package static let person = model.entity("Person")
  package static let keeper = model.entity("Keeper")
  package static let stadium = model.entity("Stadium")
  package static let license = model.entity("License")
  package static let match = model.entity("Match")
  package static let sponsor = model.entity("Sponsor")

  package static let coach = team.path("coach")
  package static let home = team.path("stadium")
  package static let permit = team.path("license")
  package static let founder = team.path("founder")
  package static let rival = team.path("rival")
  package static let players = team.path("players")
  package static let matches = team.path("matches")
  package static let juniors = team.path("juniors")
  package static let sponsors = team.path("sponsors")
}
