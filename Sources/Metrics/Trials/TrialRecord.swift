/// Which trial a record is of: the columns before `window_ns`.
package struct TrialIdentity: Hashable, Sendable, Codable {
  package var topology: String
  /// nil where a stack has none.
  package var variant: String?
  package var machine: String
  /// The profile of a simulated machine.
  package var profile: String?
  package var workload: String
  package var rows: Int
  package var seed: UInt64
  /// Counted from 1.
  package var trial: Int
  /// nil of a simulated trial.
  package var pid: Int?
  /// When the trial started, on the machine's clock.
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

  /// `topology/variant`, or the topology alone.
  package var name: String {
    variant.map { "\(topology)/\($0)" } ?? topology
  }
}

/// The disturbance of a trial by other processes: how long threads were runnable and not run, and the yardstick.
package struct TrialNoise: Hashable, Sendable, Codable {
  package var tickerRunQueueWaitNanoseconds: Int64?
  package var mainRunQueueWaitNanoseconds: Int64?
  /// The speed of the main thread's core, or nil of a simulated trial.
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

/// All that is kept of one trial.
package struct TrialRecord: Hashable, Sendable, Codable {
  package var identity: TrialIdentity
  package var measures: TrialMeasures
  package var frames: [FrameRow]
  package var stalls: [StallRow]
  package var noise: TrialNoise
  /// The work reported in the window; nil in a record made without.
  package var work: WorkCounts?
  /// nil of a live trial.
  package var simulation: SimulationFigures?

  package init(
    identity: TrialIdentity, measures: TrialMeasures, frames: [FrameRow] = [], stalls: [StallRow] = [],
    noise: TrialNoise = TrialNoise(), work: WorkCounts? = nil, simulation: SimulationFigures? = nil
  ) {
    self.identity = identity
    self.measures = measures
    self.frames = frames
    self.stalls = stalls
    self.noise = noise
    self.work = work
    self.simulation = simulation
  }
}
