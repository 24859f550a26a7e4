import Harness
import MachineSimulated

extension RunOptions {
  /// Makes the options that a run on a device has by default.
  package init(simulating profile: Profile) {
    self.init()
    adopt(profile)
  }

  /// Takes the screen and the framework's era from a profile.
  package mutating func adopt(_ profile: Profile) {
    refreshRate = profile.hardware.refreshRate
    connectionPool = profile.era.connectionPool
    journalMode = profile.era.journalMode
    synchronous = profile.era.synchronous
  }
}
