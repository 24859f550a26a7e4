import MachineCore

/// A device that a simulated machine can stand for: complete, and leaning on no other profile.
package struct Profile: Hashable, Sendable, Codable {
  /// What one part of the cost of a kind of work is.
  package struct Price: Hashable, Sendable, Codable {
    /// In nanoseconds; of `scaled` prices before the scale is applied.
    package var constant: ProfileConstant
    /// Whether the device's CPU scale multiplies it.
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
  /// The product of these multiplies scaled prices; empty where a profile lists every constant itself.
  package var scaleFactors: [ProfileConstant]
  /// Has an entry for every component of every kind.
  package var prices: CostTable<Price>
  /// The CPU nanoseconds that the yardstick's work took where and when the constants were measured; nil if not known.
  package var yardstick: Int64?

  package init(
    name: String, title: String, version: Int, description: String, hardware: Hardware, era: FrameworkEra,
    scaleFactors: [ProfileConstant], prices: CostTable<Price>, yardstick: Int64? = nil
  ) {
    self.name = name
    self.title = title
    self.version = version
    self.description = description
    self.hardware = hardware
    self.era = era
    self.scaleFactors = scaleFactors
    self.prices = prices
    self.yardstick = yardstick
  }

  /// How many times what the ratios' profile says a count costs here; nil where no ratios were taken over.
  package var cpuScale: ProfileConstant? {
    guard let first = scaleFactors.first else { return nil }
    return scaleFactors.dropFirst().reduce(first) { product, factor in
      ProfileConstant(
        value: product.value * factor.value, low: product.low * factor.low, high: product.high * factor.high,
        source: "\(product.source); times \(factor.value.plainText): \(factor.source)")
    }
  }

  /// What one count, or byte, of a kind costs here, in nanoseconds; nil for what the kind does not have.
  ///
  /// The bounds leave the scale at its value: it is one unknown of the device, not one of each constant.
  package func cost(_ kind: Work.Kind, _ component: CostComponent) -> ProfileConstant? {
    guard let price = prices[kind, component] else { return nil }
    return price.isScaled ? price.constant.scaled(by: scaleFactors.reduce(1) { $0 * $1.value }) : price.constant
  }
}

// MARK: - Speed

extension Profile {
  /// Returns the same device with all that it pays with its cores, waking threads included, times a factor.
  ///
  /// Waiting for storage stays as it is, since no processor makes it shorter.
  package func withCPU(times factor: Double) -> Profile {
    var profile = self
    profile.hardware.handOver = Span(nanoseconds: Int64((Double(hardware.handOver.nanoseconds) * factor).rounded()))
    for kind in Work.Kind.allCases {
      for component in kind.costComponents where component.isCPU {
        guard let price = prices[kind, component] else { continue }
        profile.prices[kind, component] = Price(price.constant.scaled(by: factor), isScaled: price.isScaled)
      }
    }
    return profile
  }
}

// MARK: - Devices

extension Profile {
  /// The device by the values.
  package func device() -> SimulatedDevice {
    let scale = scaleFactors.reduce(1) { $0 * $1.value }
    return device(scale: scale) { $0.value }
  }

  /// A device somewhere in the ranges: every constant is drawn from its own, and the CPU scale once for all of them.
  ///
  /// The scale's factors are drawn first, then the constants in the order of the kinds and their components, one draw
  /// each whether or not the range is empty: narrowing one range leaves the other draws where they were.
  package func device(sampling random: inout SeededRandom) -> SimulatedDevice {
    var scale = 1.0
    for factor in scaleFactors { scale *= factor.sampled(&random) }
    return device(scale: scale) { $0.sampled(&random) }
  }

  private func device(scale: Double, value: (ProfileConstant) -> Double) -> SimulatedDevice {
    var costs = CostModel()
    for kind in Work.Kind.allCases {
      var cost = CostModel.Cost.nothing
      for component in kind.costComponents {
        guard let price = prices[kind, component] else { continue }
        let nanoseconds = value(price.constant) * (price.isScaled ? scale : 1)
        cost[component] = Int64((nanoseconds * 1_000).rounded())
      }
      costs[kind] = cost
    }
    return SimulatedDevice(
      cores: hardware.cores, favoursMain: hardware.favoursMain, quantum: hardware.quantum, costs: costs,
      handOver: hardware.handOver)
  }
}

extension CostModel.Cost {
  /// One part of the cost, in picoseconds.
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
    }
  }
}
