/// The trend of one resource in a soak, and the verdict on it.
package struct SoakTrend: Hashable, Sendable {
  package let resource: SoakedResource
  package let trend: Trend

  /// The probability below which a trend is not taken for noise.
  package static let significance = 0.001
  /// The growth over all counted rounds, as a share of the level, up to which a resource counts as flat.
  package static let share = 0.01
  /// The share of the rounds at the beginning that do not count, in which caches fill.
  private static let warmUpShare = 4
  /// The smallest number of rounds of a soak.
  package static let leastRounds = 12

  /// Creates the trend of a resource, or returns nil if there are fewer than 12 samples.
  package init?(of resource: SoakedResource, in samples: [SoakSample]) {
    guard samples.count >= Self.leastRounds else { return nil }
    let counted = samples.dropFirst(samples.count / Self.warmUpShare)
    guard let trend = Trend(counted.map(resource.amount)) else { return nil }
    self.resource = resource
    self.trend = trend
  }

  /// True if the resource grows over the counted rounds: by more than a hundredth of its level, by more than
  /// `SoakedResource.spareAmount`, and not by chance.
  package var isGrowing: Bool {
    trend.probability < Self.significance
      && trend.slope.estimate * Double(trend.count) > max(Self.share * trend.level, resource.spareAmount)
  }
}
