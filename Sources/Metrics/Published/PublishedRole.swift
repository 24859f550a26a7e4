/// The part that a published figure plays for the profile of its device.
package enum PublishedRole: String, CaseIterable, Codable, Hashable, Sendable {
  /// The profile is made to agree with the figure.
  case fitted
  /// The figure checks the profile, which was made without it.
  case predicted
}
