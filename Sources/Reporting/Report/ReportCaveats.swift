import Metrics

/// The circumstances that cast doubt on a result.
enum ReportCaveats {
  /// Returns the reasons why the figures may be wrong, one sentence each.
  static func warnings(of result: ReportedResult) -> [String] {
    let manifest = result.manifest
    var warnings: [String] = []
    if manifest.isMeasuredUnoptimised {
      warnings.append("This is a \(manifest.configuration) build, so the figures are not valid.")
    }
    if let idle = manifest.idleTicks, idle.isOverLimit {
      let late = MeasureText.of(Double(idle.latenessNanosecondsP99), in: .nanoseconds)
      warnings.append("The computer was too busy: idle ticks started \(late) late (p99), and the limit is 1 ms.")
    }
    if manifest.isMeasuredInMemory {
      warnings.append("The store was in memory (\(manifest.fileSystem.type)), where syncs take no time.")
    }
    return warnings
  }
}
