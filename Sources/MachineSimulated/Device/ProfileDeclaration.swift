/// A profile as it is written: it may lean on others, which `resolved(with:)` brings in.
package struct ProfileDeclaration: Hashable, Sendable {
  /// The factor from the costs of the profile that gives the ratios to this device's.
  package enum Scale: Hashable, Sendable {
    case times(ProfileConstant)
    /// A factor on the scale of another profile, which this one follows when that is fitted anew.
    case relative(to: String, ProfileConstant)
  }

  /// How far a ratio taken from another profile may be off on this device.
  package struct RatioSpread: Hashable, Sendable {
    /// From 1; a ratio lies between itself divided by this and itself times this.
    package var factor: Double
    package var source: String

    package init(factor: Double, source: String) {
      self.factor = factor
      self.source = source
    }
  }

  package var name: String
  package var title: String
  /// Counts up with every change of the profile; results name it.
  package var version: Int
  package var description: String
  package var hardware: Hardware
  package var era: FrameworkEra
  /// The profile whose CPU costs this one takes, times `cpuScale`; nil = it lists every constant itself.
  package var ratiosOf: String?
  package var ratioSpread: RatioSpread?
  /// Given exactly where `ratiosOf` is.
  package var cpuScale: Scale?
  /// Constants of its own, in nanoseconds; they are not scaled.
  package var costs: CostTable<ProfileConstant>
  /// The CPU nanoseconds that the yardstick's work took where and when the constants were measured; nil if not known.
  package var yardstick: Int64?

  package init(
    name: String, title: String, version: Int, description: String, hardware: Hardware, era: FrameworkEra,
    ratiosOf: String? = nil, ratioSpread: RatioSpread? = nil, cpuScale: Scale? = nil,
    costs: CostTable<ProfileConstant>, yardstick: Int64? = nil
  ) {
    self.name = name
    self.title = title
    self.version = version
    self.description = description
    self.hardware = hardware
    self.era = era
    self.ratiosOf = ratiosOf
    self.ratioSpread = ratioSpread
    self.cpuScale = cpuScale
    self.costs = costs
    self.yardstick = yardstick
  }
}
