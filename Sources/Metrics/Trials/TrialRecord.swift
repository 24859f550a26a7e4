/// The identity of a trial: the columns before `window_ns`.
package struct TrialIdentity: Hashable, Sendable, Codable {
  package var topology: String
  /// The stack's variant, or nil if the stack has no variant.
  package var variant: String?
  package var machine: String
  /// The profile of a simulated machine.
  package var profile: String?
  package var workload: String
  package var rows: Int
  package var seed: UInt64
  /// The trial's number, counted from 1.
  package var trial: Int
  /// The process identifier, or nil for a simulated trial.
  package var pid: Int?
  /// The instant at which the trial started, on the machine's clock.
  package var startedNanoseconds: Int64

  package init(
    topology: String, variant: String? = nil, machine: String = "live", profile: String? = nil, workload: String,
    rows: Int, seed: UInt64, trial: Int, pid: Int? = nil, startedNanoseconds: Int64
  ) {
    self.topology = topology
    self.variant = variant
    self.machine = machine
    self.profile = profile
    self.workload = workload
    self.rows = rows
    self.seed = seed
    self.trial = trial
    self.pid = pid
    self.startedNanoseconds = startedNanoseconds
  }

  /// The stack's name: `topology/variant`, or the topology alone if there is no variant.
  package var name: String {
    variant.map { "\(topology)/\($0)" } ?? topology
  }
}

/// The disturbance of a trial by other processes: the time for which threads were runnable but not running, and the
/// yardstick.
package struct TrialNoise: Hashable, Sendable, Codable {
  package var tickerRunQueueWaitNanoseconds: Int64?
  package var mainRunQueueWaitNanoseconds: Int64?
  /// The speed of the main thread's core, or nil for a simulated trial.
  package var yardstick: YardstickPair?
  /// The number of times that the trial was repeated because the computer's speed changed; nil if never.
  package var repeatCount: Int?

  package init(
    tickerRunQueueWaitNanoseconds: Int64? = nil, mainRunQueueWaitNanoseconds: Int64? = nil,
    yardstick: YardstickPair? = nil
  ) {
    self.tickerRunQueueWaitNanoseconds = tickerRunQueueWaitNanoseconds
    self.mainRunQueueWaitNanoseconds = mainRunQueueWaitNanoseconds
    self.yardstick = yardstick
  }
}

/// The record of one trial.
package struct TrialRecord: Hashable, Sendable, Codable {
  package var identity: TrialIdentity
  package var measures: TrialMeasures
  package var frames: [FrameRow]
  package var stalls: [StallRow]
  package var noise: TrialNoise
  /// The work reported in the window, or nil if the record was made without it.
  package var work: WorkCounts?
  /// The numbers of the workload's records, or nil if the record was made without them.
  package var counts: WorkloadCounts?
  /// The figures of the simulation, or nil for a live trial.
  package var simulation: SimulationFigures?

  package init(
    identity: TrialIdentity, measures: TrialMeasures, frames: [FrameRow] = [], stalls: [StallRow] = [],
    noise: TrialNoise = TrialNoise(), work: WorkCounts? = nil, counts: WorkloadCounts? = nil,
    simulation: SimulationFigures? = nil
  ) {
    self.identity = identity
    self.measures = measures
    self.frames = frames
    self.stalls = stalls
    self.noise = noise
    self.work = work
    self.counts = counts
    self.simulation = simulation
  }
}
