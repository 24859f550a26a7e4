import Harness
import MachineCore
import MachineSimulated
import Metrics

/// A profile made of measured constants.
package struct CalibratedProfile {
  var name: String
  var version: Int
  /// The measurements' title and origin, the hardware, and further figures, each nil if it was not measured.
  var data: CalibrationData
  var fit: ProfileFit
  var storage: StorageFit
  /// The cost of a thread's first work after a sleep, or nil if it was not measured.
  var cold: ColdFit?
  /// True if the profile takes only the factors of the classes from the fit, and not the constants.
  var takesClassesOnly: Bool

  package init(
    name: String, version: Int = 1, data: CalibrationData, fit: ProfileFit, storage: StorageFit, cold: ColdFit? = nil,
    takesClassesOnly: Bool = false
  ) {
    (self.name, self.version, self.data) = (name, version, data)
    (self.fit, self.storage, self.cold, self.takesClassesOnly) = (fit, storage, cold, takesClassesOnly)
  }

  /// Returns the profile. A constant that no scenario counts is the reference's, times the computer's factor for the
  /// constant's class.
  ///
  /// - Parameters:
  ///   - host: The shipped profile that provides the era, and the storage costs that were not measured.
  ///   - reference: The reference that provides the constants that no scenario counts.
  /// - Returns: The declaration of the profile.
  package func declaration(host: ProfileDeclaration, reference: CostReference) -> ProfileDeclaration {
    let source = "measured by stackbench calibrate on \(data.origin)"
    var costs = CostTable<ProfileConstant>()
    if !takesClassesOnly {
      for line in fit.lines {
        costs[line.part] = ProfileFit.constant(
          line.value, deviation: line.deviation, source: line.isDetermined ? source : "\(source), close to its class")
      }
    }
    for part in CostPart.all where !part.component.isCPU {
      costs[part] =
        storage[part].map { ProfileFit.constant($0, deviation: 0.1, source: source) } ?? unmeasured(part, on: host)
    }
    if let handOver = data.handOver {
      let parts = [
        (CostPart(.threadWoken, component: .cpu), handOver.cpu),
        (CostPart(.threadWoken, component: .latency), handOver.latency),
        (CostPart(.coldStart, component: .cpu), handOver.coldStart),
      ]
      for (part, span) in parts {
        costs[part] = ProfileFit.constant(
          Double(span.nanoseconds), deviation: 0.2, source: "\(source), by round trips to a thread that slept")
      }
    }
    var hardware = data.hardware
    if let cold {
      hardware.coldAfter = cold.limit
      costs[CostPart(.timeSlept, component: .cpu)] = ProfileFit.constant(
        cold.rate, deviation: 0.2, source: "\(source), by merges and resets after sleeps of 10 µs to 10 ms")
    }
    let manner = takesClassesOnly ? "Reference costs times the factors measured by" : "Measured by"
    return ProfileDeclaration(
      name: name, title: data.title, version: version, description: "\(manner) stackbench calibrate on \(data.origin)",
      hardware: hardware, era: host.era, costsOf: reference.name,
      speed: .nanoseconds(
        ProfileConstant(value: fit.speed, low: fit.speed, high: fit.speed, source: "\(source): the median scenario")),
      factors: fit.factors, costs: costs, yardstick: data.yardstick?.nanoseconds)
  }

  private func unmeasured(_ part: CostPart, on host: ProfileDeclaration) -> ProfileConstant {
    switch part.kind {
    case .pageRead, .pageWritten:
      let reason = part.kind == .pageRead ? "the file lies in the system's cache" : "the sync that follows pays"
      return ProfileConstant(value: 0, low: 0, high: 0, source: "assumption: \(reason)")
    default:
      var constant = host.costs[part] ?? ProfileConstant(value: 0, low: 0, high: 0, source: "")
      constant.source = "assumption: not measured; as the shipped host"
      return constant
    }
  }
}
