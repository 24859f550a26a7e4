import ArgumentParser
import MachineSimulated

/// The simulated device.
struct DeviceFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The simulated device; 'stackbench profiles' lists them. (default: \(ProfileLibrary.standardName))",
      valueName: "name|file.yaml"),
    completion: .list(ProfileLibrary.shippedNames), transform: OptionValue.path)
  var profile: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Shuffles equal instants of different simulated threads. (default: first come, first served)", valueName: "n"),
    transform: OptionValue.seed)
  var scheduleSeed: UInt64?
}

extension DeviceFlags {
  /// Returns the profile that the flags name, or the default phone.
  ///
  /// - Throws: `CommandFailure` for a profile that cannot be read.
  func namedProfile() throws -> Profile {
    try ProfileLibrary.profile(named: profile ?? ProfileLibrary.standardName)
  }
}
