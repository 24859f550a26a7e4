import MachineCore
import MachineSimulated
import Metrics

/// A profile made of measured constants.
struct CalibratedProfile {
  var name: String
  var title: String
  var version = 1
  /// What was measured on, as every constant's source names it.
  var origin: String
  var hardware: Hardware
  /// nil where measurements from elsewhere do not tell it.
  var handOver: Span?
  var fit: ProfileFit

  /// Returns the profile, which takes the costs of the kinds of work that were not measured from the reference.
  ///
  /// - Parameters:
  ///   - host: what the shipped `host` says.
  ///   - reference: the shipped reference.
  func declaration(host: ProfileDeclaration, reference: CostReference) -> ProfileDeclaration {
    let source = "measured by stackbench calibrate on \(origin)"
    var costs = CostTable<ProfileConstant>()
    var ratios: [Double] = []
    var isComplete = true
    for kind in Work.Kind.allCases {
      for component in kind.costComponents {
        if let fitted = fit[kind, component] {
          costs[kind, component] = ProfileFit.constant(fitted, source: source)
          if component == .cpu, let other = reference.costs[kind, component], other.value > 0, fitted.value > 0 {
            ratios.append(fitted.value / other.value)
          }
        } else if kind == .threadWoken, let handOver {
          let nanoseconds = Double(handOver.nanoseconds)
          costs[kind, component] = ProfileConstant(
            value: nanoseconds, low: nanoseconds / 2, high: nanoseconds * 2,
            source: "\(source), by imports through two queues; its range is an assumption")
        } else if component.isCPU {
          isComplete = false
        } else {
          costs[kind, component] = unmeasuredStorage(kind, component, host)
        }
      }
    }
    var declaration = ProfileDeclaration(
      name: name, title: title, version: version, description: "Measured by stackbench calibrate on \(origin)",
      hardware: hardware, era: host.era, costs: costs)
    if !isComplete {
      let speed = ratios.isEmpty ? 1 : ratios.sorted()[ratios.count / 2]
      declaration.costsOf = reference.name
      declaration.speed = .nanoseconds(
        ProfileConstant(
          value: speed, low: ratios.min() ?? speed, high: ratios.max() ?? speed,
          source: "the median ratio of what was measured on \(origin) to the reference, for what was not"))
    }
    return declaration
  }

  private func unmeasuredStorage(
    _ kind: Work.Kind, _ component: CostComponent, _ host: ProfileDeclaration
  ) -> ProfileConstant {
    switch kind {
    case .pageRead, .pageWritten:
      let reason = kind == .pageRead ? "the file lies in the system's cache" : "the sync that follows pays"
      return ProfileConstant(value: 0, low: 0, high: 0, source: "assumption: \(reason)")
    default:
      var constant = host.costs[kind, component] ?? ProfileConstant(value: 0, low: 0, high: 0, source: "")
      constant.source = "assumption: not measured; as the shipped host"
      return constant
    }
  }
}
