/// Apple's bands for hitch time per second.
package enum HitchScale: Hashable, Sendable {
  /// The scale for scrolling: good below 5 ms/s, fair up to 10, poor above.
  case scroll
  /// The scale for all animations: good up to 10 ms/s, warning up to 25, critical up to 50, immediate attention above.
  case animation

  /// Chooses the scale for a run: the scale for animations if the run does not scroll or has no view controllers, or
  /// else the stricter scale for scrolling.
  init(ofRunWith manifest: Manifest) {
    let isStill = [Manifest.SettingName.scrollSpeed, .viewControllers].contains { manifest.count(of: $0) == 0 }
    self = isStill ? .animation : .scroll
  }

  /// Returns the band of a hitch time. The thresholds are those of the Xcode Organizer.
  package func band(microsecondsPerSecond hitch: Int64) -> HitchBand {
    switch self {
    case .scroll: hitch < 5_000 ? .good : hitch <= 10_000 ? .fair : .poor
    case .animation: hitch <= 10_000 ? .good : hitch <= 25_000 ? .warning : hitch <= 50_000 ? .critical : .immediate
    }
  }

  /// The movements that the scale applies to.
  var subject: String {
    switch self {
    case .scroll: "scrolling"
    case .animation: "all animations"
    }
  }

  /// Returns the range of a band on the scale: `above 10 ms/s`.
  func range(of band: HitchBand) -> String {
    switch (self, band) {
    case (.scroll, .good): "below 5 ms/s"
    case (.scroll, .fair): "5 to 10 ms/s"
    case (.animation, .good): "up to 10 ms/s"
    case (.animation, .warning): "above 10 ms/s"
    case (.animation, .critical): "above 25 ms/s"
    case (.animation, .immediate): "above 50 ms/s"
    default: "above 10 ms/s"
    }
  }

  var legend: String {
    switch self {
    case .scroll: "Apple's bands for scrolling: good < 5, fair <= 10, poor above"
    case .animation: "Apple's bands for all animations: good <= 10, warning <= 25, critical <= 50, immediate above"
    }
  }
}

/// A verdict on hitch time per second. The scale determines which bands are used.
package enum HitchBand: String, Hashable, Sendable {
  case good
  case fair
  case poor
  case warning
  case critical
  case immediate

  var tone: Page.Tone {
    switch self {
    case .good: .good
    case .fair, .warning: .warning
    case .poor, .critical, .immediate: .bad
    }
  }

  /// True if Apple recommends a repair. The bands `fair` and `warning` only ask for attention.
  var isUnacceptable: Bool { tone == .bad }
}
