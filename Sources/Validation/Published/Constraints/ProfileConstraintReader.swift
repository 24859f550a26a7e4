import InputFiles
import MachineSimulated

/// Reads constraints on profiles from the text of a YAML file, strictly.
///
///     constraints:
///       - name: my-phone-sync
///         profile: iphone-15-pro
///         title: "a sync"
///         costs: {sync.cpu: 1, sync.storage: 1}
///         unit: milliseconds
///         high: 0.5
///         source: "a stop watch"
///       - name: my-phone-index
///         profile: iphone-15-pro
///         speed: {relativeTo: iphone-14-pro}
///         low: 0.8
///         high: 1
///         source: "a benchmark"
struct ProfileConstraintReader {
  /// The name that errors use for the file.
  let place: String
  /// The names of all profiles.
  let profiles: [String]

  /// Returns the constraints in a text.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  func constraints(from text: String) throws(YAMLError) -> [ProfileConstraint] {
    let blank = ProfileConstraint(name: "", profile: "", subject: .speed(relativeTo: ""), source: "")
    var constraints: [ProfileConstraint] = []
    for mapping in try YAMLMapping(text: text, place: place, keys: ["constraints"])
      .mappings("constraints", keys: keys.names())
    {
      let constraint = try keys.value(of: mapping, blank)
      if constraints.contains(where: { $0.name == constraint.name }) {
        throw mapping.error("name", "\(constraint.name) appears twice; use each name once")
      }
      constraints.append(constraint)
    }
    return constraints
  }

  private var keys: [YAMLKey<ProfileConstraint>] {
    [
      .required("name", \.name, .text),
      .required("profile", \.profile, .name(of: profiles)).checked(Self.checkSubject),
      .reading("title") { (mapping, _) throws(YAMLError) in _ = try mapping.text("title") },
      .reading("costs") { (mapping, constraint) throws(YAMLError) in
        constraint.subject = .costs(title: try mapping.text("title"), counts: try Self.counts(mapping))
      },
      .reading("unit") { (mapping, _) throws(YAMLError) in _ = try Self.unit(mapping) },
      .reading("speed") { (mapping, constraint) throws(YAMLError) in
        let speed = try mapping.mapping("speed", keys: ["relativeTo"])
        let other = try speed.name("relativeTo", of: profiles)
        if other == constraint.profile { throw speed.error("relativeTo", "is the profile itself; use another") }
        constraint.subject = .speed(relativeTo: other)
      },
      .optional("low", \.low, Self.amount), .optional("high", \.high, Self.amount),
      .required("source", \.source, .text).checked { (constraint, mapping) throws(YAMLError) in
        guard let low = constraint.low ?? constraint.high, let high = constraint.high ?? constraint.low else {
          throw mapping.error("high", "missing; use low, high or both")
        }
        if high < low { throw mapping.error("high", "is below low; use low ≤ high") }
      },
    ]
  }

  /// The form of an end of a range. Numbers outside are taken for typing errors.
  private static let amount = YAMLForm<Double>(
    { (mapping, key) throws(YAMLError) in
      try mapping.number(key, in: 0.000_001...1e9) * (mapping.has("unit") ? try unit(mapping) : 1)
    })

  /// Returns the length of the unit of a range of costs, in nanoseconds.
  private static func unit(_ mapping: YAMLMapping) throws(YAMLError) -> Double {
    try mapping.name("unit", of: ["nanoseconds", "milliseconds"]) == "milliseconds" ? 1_000_000 : 1
  }

  /// Checks that a constraint has either costs with a title and a unit, or a speed without them.
  private static func checkSubject(_: ProfileConstraint, _ mapping: YAMLMapping) throws(YAMLError) {
    let hasCosts = mapping.has("costs")
    guard hasCosts != mapping.has("speed") else {
      let message = hasCosts ? "cannot be combined with costs; use one of them" : "missing; use costs or speed"
      throw mapping.error("speed", message)
    }
    for key in ["title", "unit"] where mapping.has(key) != hasCosts {
      throw hasCosts ? mapping.missing(key) : mapping.error(key, "belongs to costs; leave it out")
    }
  }

  private static func counts(_ constraint: YAMLMapping) throws(YAMLError) -> [ProfileConstraint.Count] {
    let mapping = try constraint.mapping("costs", keys: nil)
    guard !mapping.keys.isEmpty else { throw constraint.error("costs", "empty; use at least one part of a cost") }
    var counts: [ProfileConstraint.Count] = []
    for name in mapping.keys {
      guard let part = CostPart.named(name) else {
        throw mapping.error(name, "not part of a cost; use kinds with a component, as in commit.cpu")
      }
      counts.append(ProfileConstraint.Count(part: part, count: try mapping.integer(name, in: 1...1_000_000_000_000)))
    }
    return counts
  }
}
