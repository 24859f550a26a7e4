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
  private static let keys = [
    "name", "profile", "title", "costs", "unit", "speed", "low", "high", "source",
  ]
  /// The units of costs, each with its length in nanoseconds.
  private static let units: [(name: String, nanoseconds: Double)] = [("nanoseconds", 1), ("milliseconds", 1_000_000)]
  /// The numbers that a range may have. Numbers outside are taken for typing errors.
  private static let limits = 0.000_001...1e9
  private static let countLimits = 1...1_000_000_000_000

  /// The name that errors use for the file.
  let place: String
  /// The names of all profiles.
  let profiles: [String]

  /// Returns the constraints in a text.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  func constraints(from text: String) throws(YAMLError) -> [ProfileConstraint] {
    let root = try YAMLMapping(text: text, place: place, keys: ["constraints"])
    var constraints: [ProfileConstraint] = []
    for mapping in try root.mappings("constraints", keys: Self.keys) {
      let constraint = try constraint(mapping)
      if constraints.contains(where: { $0.name == constraint.name }) {
        throw mapping.error("name", "\(constraint.name) appears twice; use each name once")
      }
      constraints.append(constraint)
    }
    return constraints
  }

  private func constraint(_ mapping: YAMLMapping) throws(YAMLError) -> ProfileConstraint {
    let name = try mapping.text("name")
    let profile = try mapping.name("profile", of: profiles)
    guard mapping.has("costs") != mapping.has("speed") else {
      let message =
        mapping.has("costs") ? "cannot be combined with costs; use one of them" : "missing; use costs or speed"
      throw mapping.error("speed", message)
    }
    let subject = mapping.has("costs") ? try costs(mapping) : try speed(mapping, of: profile)
    let unit = mapping.has("costs") ? try unit(mapping) : 1
    let low = mapping.has("low") ? try mapping.number("low", in: Self.limits) : nil
    let high = mapping.has("high") ? try mapping.number("high", in: Self.limits) : nil
    if low == nil, high == nil { throw mapping.error("high", "missing; use low, high or both") }
    if let low, let high, high < low { throw mapping.error("high", "is below low; use low ≤ high") }
    return ProfileConstraint(
      name: name, profile: profile, subject: subject, low: low.map { $0 * unit }, high: high.map { $0 * unit },
      source: try mapping.text("source"))
  }

  private func costs(_ constraint: YAMLMapping) throws(YAMLError) -> ProfileConstraint.Subject {
    let mapping = try constraint.mapping("costs", keys: nil)
    guard !mapping.keys.isEmpty else { throw constraint.error("costs", "empty; use at least one part of a cost") }
    var counts: [ProfileConstraint.Count] = []
    for name in mapping.keys {
      guard let part = CostPart.named(name) else {
        throw mapping.error(name, "not part of a cost; use kinds with a component, as in commit.cpu")
      }
      counts.append(ProfileConstraint.Count(part: part, count: try mapping.integer(name, in: Self.countLimits)))
    }
    return .costs(title: try constraint.text("title"), counts: counts)
  }

  /// Returns the length of the unit of a range of costs, in nanoseconds.
  private func unit(_ mapping: YAMLMapping) throws(YAMLError) -> Double {
    let name = try mapping.name("unit", of: Self.units.map(\.name))
    return Self.units.first { $0.name == name }?.nanoseconds ?? 1
  }

  private func speed(_ mapping: YAMLMapping, of profile: String) throws(YAMLError) -> ProfileConstraint.Subject {
    for key in ["title", "unit"] where mapping.has(key) {
      throw mapping.error(key, "belongs to costs; leave it out")
    }
    let speed = try mapping.mapping("speed", keys: ["relativeTo"])
    let other = try speed.name("relativeTo", of: profiles)
    if other == profile { throw speed.error("relativeTo", "is the profile itself; use another") }
    return .speed(relativeTo: other)
  }
}
