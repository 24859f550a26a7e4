import MachineCore

extension ProfileDeclaration {
  /// The longest time that one count of any work may take, in nanoseconds: 10 s. A larger number suggests a wrong unit.
  package static let costLimit = 10e9
  /// The longest time that one byte of any work may take, in nanoseconds: 1 ms.
  package static let byteCostLimit = 1e6

  /// Returns the complete profile, with the reference, the shape and the speeds that this declaration names.
  ///
  /// - Throws: `ProfileError` for unknown names, circles, and missing or absurd constants, and the errors of
  ///   `catalogue`.
  package func resolved(with catalogue: ProfileCatalogue) throws(ProfileError) -> Profile {
    var profile = Profile(
      name: name, title: title, version: version, description: description, hardware: hardware, era: era,
      prices: CostTable(), yardstick: yardstick)
    try takeReference(from: catalogue, into: &profile)
    for part in CostPart.all {
      if let constant = costs[part] {
        profile.prices[part] = Profile.Price(constant, isScaled: false)
      } else if profile.prices[part] == nil {
        throw ProfileError(
          .missingKey, "missing; a profile needs {value, low, high, source} for it", key: "costs.\(part.name)")
      }
    }
    try profile.checkLimits()
    return profile
  }

  private func takeReference(from catalogue: ProfileCatalogue, into profile: inout Profile) throws(ProfileError) {
    guard let costsOf else {
      if speed != nil { throw ProfileError(.missingKey, "missing; costsOf and speed go together", key: "costsOf") }
      for (key, isGiven) in [("shape", shape != nil), ("factors", !factors.isEmpty)] where isGiven {
        throw ProfileError(
          .invalidValue, "multiplies the costs of a reference; use it together with costsOf and speed", key: key)
      }
      return
    }
    guard let reference = try catalogue.reference(costsOf) else {
      throw ProfileError(
        .unknownProfile, "no reference is called \(costsOf); use costsOf: reference", key: "costsOf")
    }
    profile.reference = "\(reference.name), version \(reference.version)"
    profile.speedFactors = try speedFactors(catalogue, leaningOn: [])
    for part in CostPart.cpu {
      guard var constant = reference.costs[part] else { continue }
      constant.source = "instructions of \(reference.name)"
      profile.prices[part] = Profile.Price(constant, isScaled: true)
    }
    if let shape {
      guard let found = try catalogue.shape(shape) else {
        throw ProfileError(.unknownProfile, "no shape is called \(shape); use core-data", key: "shape")
      }
      profile.shape = "\(found.name), version \(found.version)"
      profile.groups = found.groups
    }
    profile.groups += WorkClass.allCases.compactMap { workClass in factors[workClass].map(workClass.group) }
  }

  /// Returns the factors whose product is the speed, beginning with those of the profile to which this speed is
  /// relative.
  private func speedFactors(
    _ catalogue: ProfileCatalogue, leaningOn chain: [String]
  ) throws(ProfileError) -> [ProfileConstant] {
    switch speed {
    case nil where chain.isEmpty:
      throw ProfileError(.missingKey, "missing; costsOf and speed go together", key: "speed")
    case nil:
      throw ProfileError(
        .invalidValue, "\(name) has no speed, since it lists its constants itself; use a profile that has one",
        key: "speed.relativeTo")
    case .nanoseconds(let constant): return [constant]
    case .relative(let other, let factor):
      guard other != name, !chain.contains(other) else {
        let circle = (chain + [name, other]).joined(separator: " → ")
        throw ProfileError(
          .circle, "leads back to itself: \(circle); use a profile whose speed is in nanoseconds",
          key: "speed.relativeTo")
      }
      guard let declaration = try catalogue.declaration(other) else {
        throw ProfileError(
          .unknownProfile, "no profile is called \(other); use one of the shipped", key: "speed.relativeTo")
      }
      return try declaration.speedFactors(catalogue, leaningOn: chain + [name]) + [factor]
    }
  }
}

extension Profile {
  /// Throws `ProfileError` for costs that no device has. A product may be absurd even if each of its factors is
  /// plausible.
  fileprivate func checkLimits() throws(ProfileError) {
    let highest = multipliers(speed: speed?.high ?? 1, factors: groups.map(\.factor.high))
    for part in CostPart.all {
      guard let price = prices[part] else { continue }
      let high = price.constant.high * (price.isScaled ? highest[part] ?? 1 : 1)
      let limit =
        part.component.isPerByte ? ProfileDeclaration.byteCostLimit : ProfileDeclaration.costLimit
      guard high <= limit else {
        throw ProfileError(
          .invalidValue, "up to \(high.plainText) ns with its speed and factors; use at most \(limit.plainText)",
          key: "costs.\(part.name)")
      }
    }
  }
}
