/// The speed of this computer during a validation, and the speed at which the profile was calibrated.
package struct ValidationSpeed: Hashable, Sendable, Codable {
  /// The change of the speed over the live runs, or nil if it was not measured.
  package let drift: YardstickDrift?
  /// The profile's yardstick, or nil if the profile does not specify one.
  package let profileNanoseconds: Int64?

  package init(drift: YardstickDrift?, profileNanoseconds: Int64?) {
    self.drift = drift
    self.profileNanoseconds = profileNanoseconds
  }

  /// The factor on all costs that the simulation charges to a core: the median live yardstick divided by the profile's.
  ///
  /// It is 1 if one of the two is unknown.
  package var factor: Double {
    guard let drift, let profileNanoseconds, profileNanoseconds > 0, drift.medianNanoseconds > 0 else { return 1 }
    return Double(drift.medianNanoseconds) / Double(profileNanoseconds)
  }

  private enum CodingKeys: String, CodingKey {
    case drift
    case profileNanoseconds = "profile_yardstick_ns"
  }
}
