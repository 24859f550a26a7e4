import MachineCore

extension ProfileDeclaration {
  /// The longest that one count of anything may take, in nanoseconds: 10 s. Above it lies a slipped unit.
  package static let costLimit = 10e9
  /// The same for one byte: 1 ms.
  package static let byteCostLimit = 1e6

  /// The complete profile, with the ratios and the scale of those that this one leans on.
  ///
  /// - Parameter declared: Looks a profile up by name; nil if there is none.
  /// - Throws: `ProfileError` for names without a profile, circles, constants that are missing or absurd, and whatever
  ///   `declared` throws.
  package func resolved(
    with declared: (String) throws(ProfileError) -> ProfileDeclaration?
  ) throws(ProfileError) -> Profile {
    try resolved(declared, leaningOn: [])
  }

  private func resolved(
    _ declared: (String) throws(ProfileError) -> ProfileDeclaration?, leaningOn chain: [String]
  ) throws(ProfileError) -> Profile {
    guard (ratiosOf == nil) == (cpuScale == nil) else {
      throw ProfileError(
        .missingKey, "missing; ratiosOf and cpuScale go together", key: ratiosOf == nil ? "ratiosOf" : "cpuScale")
    }
    var profile = Profile(
      name: name, title: title, version: version, description: description, hardware: hardware, era: era,
      scaleFactors: [], prices: CostTable(), yardstick: yardstick)
    switch cpuScale {
    case nil: break
    case .times(let factor): profile.scaleFactors = [factor]
    case .relative(let other, let factor):
      let base = try resolve(other, "cpuScale.relativeTo", declared, chain)
      profile.scaleFactors = base.scaleFactors + [factor]
    }
    if let ratiosOf {
      takeRatios(of: try resolve(ratiosOf, "ratiosOf", declared, chain), into: &profile.prices)
    }
    try addOwnCosts(to: &profile.prices)
    try check(profile)
    return profile
  }

  private func resolve(
    _ other: String, _ key: String, _ declared: (String) throws(ProfileError) -> ProfileDeclaration?,
    _ chain: [String]
  ) throws(ProfileError) -> Profile {
    guard other != name, !chain.contains(other) else {
      let circle = (chain + [name, other]).joined(separator: " → ")
      throw ProfileError(.circle, "leans on itself: \(circle); use a profile that stands alone", key: key)
    }
    guard let declaration = try declared(other) else {
      throw ProfileError(.unknownProfile, "no profile is called \(other); use one of the shipped", key: key)
    }
    return try declaration.resolved(declared, leaningOn: chain + [name])
  }

  /// CPU costs of `base` before its own scale, which is left out: only the ratios count.
  private func takeRatios(of base: Profile, into prices: inout CostTable<Profile.Price>) {
    let scale = base.cpuScale?.value ?? 1
    let spread = ratioSpread?.factor ?? 1
    for kind in Work.Kind.allCases {
      for component in kind.costComponents where component.isCPU {
        guard let price = base.prices[kind, component] else { continue }
        var constant = price.isScaled ? price.constant : price.constant.scaled(by: 1 / scale)
        constant.low /= spread
        constant.high *= spread
        constant.source = "ratio of \(base.name)"
        prices[kind, component] = Profile.Price(constant, isScaled: true)
      }
    }
  }

  private func addOwnCosts(to prices: inout CostTable<Profile.Price>) throws(ProfileError) {
    for kind in Work.Kind.allCases {
      for component in kind.costComponents {
        if let constant = costs[kind, component] {
          prices[kind, component] = Profile.Price(constant, isScaled: false)
        } else if prices[kind, component] == nil {
          throw ProfileError(
            .missingKey, "missing; a profile needs {value, low, high, source} for it",
            key: "costs.\(kind.name).\(component.rawValue)")
        }
      }
    }
  }

  /// Scales multiply, so that a product may be absurd where no factor is.
  private func check(_ profile: Profile) throws(ProfileError) {
    let scale = profile.cpuScale?.high ?? 1
    for kind in Work.Kind.allCases {
      for component in kind.costComponents {
        guard let price = profile.prices[kind, component] else { continue }
        let high = price.constant.high * (price.isScaled ? scale : 1)
        let limit = component.isPerByte ? ProfileDeclaration.byteCostLimit : ProfileDeclaration.costLimit
        guard high <= limit else {
          throw ProfileError(
            .invalidValue, "up to \(high.plainText) ns with its scale; use at most \(limit.plainText)",
            key: "costs.\(kind.name).\(component.rawValue)")
        }
      }
    }
  }
}
