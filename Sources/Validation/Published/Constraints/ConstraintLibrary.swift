import CResources
import Experiments
import InputFiles
import MachineSimulated
import Metrics
import TrialProcesses

/// The constraints on profiles that ship with the program.
enum ConstraintLibrary {
  /// The name that errors use for the file of the shipped constraints.
  static let name = "constraints"

  /// The text of the shipped constraints.
  static var text: String { String(cString: resource("constraints.yaml")) }

  /// Returns the shipped constraints, in the order of their file.
  static func shipped() throws(RunFailure) -> [ProfileConstraint] {
    try UserInput.read { () throws(YAMLError) in
      try ProfileConstraintReader(place: name, profiles: ProfileLibrary.shippedNames).constraints(from: text)
    }
  }

  /// Returns the shipped constraints with the values of the profiles that they name. The profiles in `devices` replace
  /// the shipped profiles with the same names.
  static func results(on devices: [Profile] = []) throws(RunFailure) -> [ConstraintResult] {
    let constraints = try shipped()
    var profiles = Dictionary(devices.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for name in constraints.flatMap(\.profileNames) where profiles[name] == nil {
      profiles[name] = try UserInput.profile(named: name)
    }
    return constraints.map { $0.result(in: profiles) }
  }
}
