import Metrics
import Reporting

extension Manifest.Noise {
  /// Makes the manifest's entry for a trial.
  init(of record: TrialRecord) {
    self.init(
      topology: record.identity.topology, variant: record.identity.variant, trial: record.identity.trial,
      tickerNanoseconds: record.noise.tickerRunQueueWaitNanoseconds,
      mainNanoseconds: record.noise.mainRunQueueWaitNanoseconds)
    yardstickBeforeNanoseconds = record.noise.yardstick?.beforeNanoseconds
    yardstickAfterNanoseconds = record.noise.yardstick?.afterNanoseconds
    repeatCount = record.noise.repeatCount
    stealNanoseconds = record.measures.stealNanoseconds
    if record.simulation == nil { mainStatementsCount = record.measures.mainStatementsCount }
  }
}
