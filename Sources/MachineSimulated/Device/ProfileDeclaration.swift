/// A profile as it is written: it may name a reference, a shape and other profiles, which `resolved(with:)` brings in.
package struct ProfileDeclaration: Hashable, Sendable {
  /// The time that a reference instruction takes on the device.
  package enum Speed: Hashable, Sendable {
    /// The nanoseconds for each instruction.
    case nanoseconds(ProfileConstant)
    /// A factor on the time that another profile's device takes, so that this device's speed follows that device's
    /// speed.
    case relative(to: String, ProfileConstant)
  }

  package var name: String
  package var title: String
  /// Increases with every change of the profile; results name it.
  package var version: Int
  package var description: String
  package var hardware: Hardware
  package var era: FrameworkEra
  /// The reference whose CPU costs the device takes, times its speed; nil if the profile lists every constant itself.
  package var costsOf: String?
  /// The shape that multiplies the reference's costs; nil if the device runs this engine.
  package var shape: String?
  /// The speed is given if and only if `costsOf` is.
  package var speed: Speed?
  /// The relative speed according to benchmarks, from which a fit to published figures starts; nil if it is not known.
  package var benchmarks: ProfileConstant?
  /// The factors on the reference's costs by class; a class without an entry has the factor 1.
  package var factors: [WorkClass: ProfileConstant]
  /// The constants that the profile lists itself, in nanoseconds; neither speed nor factors multiply them.
  package var costs: CostTable<ProfileConstant>
  /// The CPU nanoseconds that the yardstick's work took where and when the constants were measured; nil if not known.
  package var yardstick: Int64?

  package init(
    name: String, title: String, version: Int, description: String, hardware: Hardware, era: FrameworkEra,
    costsOf: String? = nil, shape: String? = nil, speed: Speed? = nil, benchmarks: ProfileConstant? = nil,
    factors: [WorkClass: ProfileConstant] = [:],
    costs: CostTable<ProfileConstant>, yardstick: Int64? = nil
  ) {
    self.name = name
    self.title = title
    self.version = version
    self.description = description
    self.hardware = hardware
    self.era = era
    self.costsOf = costsOf
    self.shape = shape
    self.speed = speed
    self.benchmarks = benchmarks
    self.factors = factors
    self.costs = costs
    self.yardstick = yardstick
  }
}
