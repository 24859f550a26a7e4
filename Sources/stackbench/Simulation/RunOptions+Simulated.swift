import Harness
import MachineSimulated

extension RunOptions {
  /// Makes the options that a run on a device has by default.
  init(simulating profile: Profile) {
    self.init()
    adopt(profile)
  }

  /// Takes the screen and the framework's era from a profile.
  mutating func adopt(_ profile: Profile) {
    refreshRate = profile.hardware.refreshRate
    connectionPool = profile.era.connectionPool
    journalMode = profile.era.journalMode
    synchronous = profile.era.synchronous
  }
}
