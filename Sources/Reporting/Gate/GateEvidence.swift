import Metrics

/// The kind of figures on which a verdict of the gate rests.
package enum GateEvidence: String, Hashable, Sendable, Codable, CaseIterable {
  /// A count of work or of wrong rows in simulated trials, which no price of a device enters.
  case counter
  /// A time or a size on simulated devices that were drawn from the profile.
  case drawnDevices = "drawn devices"
  /// A time or a size on the simulated device with the profile's own values.
  case oneDevice = "one device"
  /// A figure of trials on a real computer.
  case live

  init(of measure: Measure, in results: GateResults) {
    self =
      results.manifest.machine == "live"
      ? .live : measure.isCounter ? .counter : results.draws.isEmpty ? .oneDevice : .drawnDevices
  }

  /// The plural of what was simulated or measured.
  var samples: String {
    switch self {
    case .counter, .drawnDevices, .oneDevice: "devices"
    case .live: "trials"
    }
  }
}
