import Harness
import MachineSimulated

extension RunOptions {
  /// What a run on a device has unless told otherwise: the screen and the framework's era are the profile's.
  init(simulating profile: Profile) {
    self.init()
    refreshRate = profile.hardware.refreshRate
    connectionPool = profile.era.connectionPool
    journalMode = profile.era.journalMode
    synchronous = profile.era.synchronous
  }
}
