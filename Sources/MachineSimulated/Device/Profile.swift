import MachineCore

/// A complete description of a device that a simulated machine can stand for, independent of all other profiles.
///
/// A cost that the profile lists itself is in nanoseconds. A cost that it takes from a reference is in instructions:
/// the device pays it times the factors of the groups that the cost belongs to, times the device's speed.
package struct Profile: Hashable, Sendable, Codable {
  /// One part of the cost of a kind of work.
  package struct Price: Hashable, Sendable, Codable {
    /// The cost in nanoseconds, or in instructions if it is scaled.
    package var constant: ProfileConstant
    /// A Boolean value that indicates whether speed and factors multiply the constant.
    package var isScaled: Bool

    package init(_ constant: ProfileConstant, isScaled: Bool) {
      self.constant = constant
      self.isScaled = isScaled
    }
  }

  package var name: String
  package var title: String
  package var version: Int
  package var description: String
  package var hardware: Hardware
  package var era: FrameworkEra
  /// The reference's name and version; nil if the profile lists every constant itself.
  package var reference: String?
  /// The shape's name and version; nil if the profile has no shape.
  package var shape: String?
  /// The factors whose product is the speed; empty without a reference.
  package var speedFactors: [ProfileConstant] = []
  /// The groups of the shape, then those of the classes of work that have a factor.
  package var groups: [CostGroup] = []
  /// The cost of every component of every kind.
  package var prices: CostTable<Price>
  /// The CPU nanoseconds that the yardstick's work took where and when the constants were measured; nil if not known.
  package var yardstick: Int64?

  /// The nanoseconds that a reference instruction takes on the device; nil without a reference.
  package var speed: ProfileConstant? {
    guard let first = speedFactors.first else { return nil }
    return speedFactors.dropFirst().reduce(first) { product, factor in
      ProfileConstant(
        value: product.value * factor.value, low: product.low * factor.low, high: product.high * factor.high,
        source: "\(product.source); times \(factor.value.plainText): \(factor.source)")
    }
  }

  /// Returns the nanoseconds that one count or byte of a kind costs on the device, or nil for a part that the kind does
  /// not have.
  ///
  /// The bounds are those of the constant alone: speed and factors stay at their values, because each of them is one
  /// unknown that many costs share.
  package func cost(_ kind: Work.Kind, _ component: CostComponent) -> ProfileConstant? {
    let part = CostPart(kind, component: component)
    guard let price = prices[part] else { return nil }
    return price.isScaled ? price.constant.scaled(by: multipliers[part] ?? 1) : price.constant
  }

  /// The nanoseconds of an instruction for each part of a cost: the speed times the factors of the part's groups.
  package var multipliers: CostTable<Double> {
    multipliers(speed: speedFactors.reduce(1) { $0 * $1.value }, factors: groups.map(\.factor.value))
  }

  /// Returns the multiplier of each part that is paid with a core, for a speed and the factors of the groups. The
  /// factors are in the order of the groups.
  func multipliers(speed: Double, factors: [Double]) -> CostTable<Double> {
    var table = CostTable<Double>()
    for part in CostPart.cpu { table[part] = speed }
    for (group, factor) in zip(groups, factors) {
      for part in group.parts { table[part] = (table[part] ?? 1) * factor }
    }
    return table
  }
}

// MARK: - Speed

extension Profile {
  /// Returns the same device with all costs that it pays with its cores, including waking threads, times a factor.
  ///
  /// Waiting for storage stays as it is, because no processor makes it shorter.
  package func withCPU(times factor: Double) -> Profile {
    var profile = self
    for part in CostPart.cpu {
      guard let price = prices[part] else { continue }
      profile.prices[part] = Price(price.constant.scaled(by: factor), isScaled: price.isScaled)
    }
    return profile
  }
}

// MARK: - Changed costs

extension Profile {
  /// Returns the same device with every part of the cost of one kind of work times a factor, waiting included.
  package func withCost(of kind: Work.Kind, times factor: Double) -> Profile {
    var profile = self
    for component in CostComponent.allCases {
      let part = CostPart(kind, component: component)
      guard let price = prices[part] else { continue }
      profile.prices[part] = Price(price.constant.scaled(by: factor), isScaled: price.isScaled)
    }
    return profile
  }

  /// Returns the same device with ranges that reach from `value / (1 + share)` to `value * (1 + share)`.
  ///
  /// Devices drawn from such ranges are alike to a user, yet ticks, saves and merges coincide differently on each.
  /// Means over these devices therefore leave out the effects of single coincidences.
  package func narrowed(to share: Double) -> Profile {
    var profile = self
    profile.speedFactors = speedFactors.map { $0.narrowed(to: share) }
    for index in profile.groups.indices {
      profile.groups[index].factor = profile.groups[index].factor.narrowed(to: share)
      profile.groups[index].axes = []
    }
    for part in CostPart.all {
      guard let price = prices[part] else { continue }
      profile.prices[part] = Price(price.constant.narrowed(to: share), isScaled: price.isScaled)
    }
    return profile
  }
}

// MARK: - Devices

extension Profile {
  /// Returns the device with the values of the constants.
  package func device() -> SimulatedDevice {
    device(multipliers) { $0.value }
  }

  /// Draws a device from the ranges.
  ///
  /// The factors of the speed are drawn first, then one number for each group in the order of the groups, then every
  /// constant in the order of the kinds and their components. The factor of a group holds for all the costs in it, and
  /// follows from the group's own number or, if the group has axes, from the numbers of all groups. Each is one draw,
  /// whether or not its range is empty: so narrowing one range leaves the other draws as they were.
  package func device(sampling random: inout SeededRandom) -> SimulatedDevice {
    var speed = 1.0
    for factor in speedFactors { speed *= factor.sampled(&random) }
    let draws = groups.map { _ in random.next() }
    let factors = zip(groups, draws).map { group, draw in
      guard !group.axes.isEmpty else { return group.factor.sampled(draw) }
      return zip(group.axes, draws).reduce(group.factor.value) { factor, axis in
        factor / axis.0 * ProfileConstant.power(axis.0 * axis.0, draw: axis.1)
      }
    }
    return device(multipliers(speed: speed, factors: factors)) { $0.sampled(&random) }
  }

  private func device(_ multipliers: CostTable<Double>, value: (ProfileConstant) -> Double) -> SimulatedDevice {
    var costs = CostModel()
    for part in CostPart.all {
      guard let price = prices[part] else { continue }
      let nanoseconds = value(price.constant) * (price.isScaled ? multipliers[part] ?? 1 : 1)
      costs[part.kind][part.component] = Int64((nanoseconds * 1_000).rounded())
    }
    return SimulatedDevice(
      cores: hardware.cores, favoursMain: hardware.favoursMain, quantum: hardware.quantum,
      coldAfter: hardware.coldAfter, costs: costs)
  }
}

extension CostModel.Cost {
  /// The cost of one component, in picoseconds.
  package subscript(_ component: CostComponent) -> Int64 {
    get { self[keyPath: CostModel.Cost.path(component)] }
    set { self[keyPath: CostModel.Cost.path(component)] = newValue }
  }

  private static func path(_ component: CostComponent) -> WritableKeyPath<CostModel.Cost, Int64> {
    switch component {
    case .cpu: \.cpuPerCount
    case .cpuPerByte: \.cpuPerByte
    case .storage: \.storagePerCount
    case .storagePerByte: \.storagePerByte
    case .latency: \.latencyPerCount
    }
  }
}
