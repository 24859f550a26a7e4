import Metrics

/// The file `causes.csv`, which has one row for each cause of each stack and workload, and the sums over workloads.
package enum CauseTable {
  package static let fileName = "causes.csv"
  package static let header = [
    "workload", "topology", "cause", "live_ns", "simulated_ns", "difference_ns", "main_busy_share_ppm",
  ]

  package static func csv(of causes: [CauseComparison]) -> CSV {
    CSV(
      header: header,
      records: causes.map { cause in
        [cause.workload, cause.topology, cause.cause]
          + [
            cause.liveNanoseconds, cause.simulatedNanoseconds, cause.differenceNanoseconds,
            cause.sharePartsPerMillion,
          ].map { "\($0)" }
      })
  }
}
