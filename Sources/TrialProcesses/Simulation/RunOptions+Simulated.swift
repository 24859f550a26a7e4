import Harness
import MachineSimulated

extension RunOptions {
  /// Creates the default options of a run on a device.
  package init(simulating profile: Profile) {
    self.init()
    adopt(profile)
  }

  /// Sets the options that depend on the screen and on the framework's era to the values of a profile.
  package mutating func adopt(_ profile: Profile) {
    refreshRate = profile.hardware.refreshRate
    connectionPool = profile.era.connectionPool
    journalMode = profile.era.journalMode
    synchronous = profile.era.synchronous
  }
}
