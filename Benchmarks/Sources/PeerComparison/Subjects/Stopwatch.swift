/// Times a run and, if they are few and long, its steps. The times of several starts and stops add up.
// `@unchecked Sendable`: a case moves from queue to queue and waits for each, so one thread at a time uses it.
package final class Stopwatch: @unchecked Sendable {
  private let clock: Clock
  private var nanoseconds = 0
  private var startedAt = 0
  private var lapStartedAt = 0
  private var laps: [Lap] = []

  package init(_ clock: Clock) {
    self.clock = clock
  }

  package func start() {
    startedAt = clock.now
    lapStartedAt = startedAt
  }

  package func stop() {
    nanoseconds += clock.now - startedAt
  }

  /// Ends a step, which began with the start or at the end of the step before. The times of steps with one name add up.
  package func lap(_ name: String) {
    let now = clock.now
    if let index = laps.firstIndex(where: { $0.name == name }) {
      laps[index].nanoseconds += now - lapStartedAt
    } else {
      laps.append(Lap(name: name, nanoseconds: now - lapStartedAt))
    }
    lapStartedAt = now
  }

  /// Returns a sample with the measured time, for a number of rows, properties or changes.
  package func sample(of unitCount: Int, checksum: Int? = nil, heapBytes: Int? = nil) -> Sample {
    Sample(nanoseconds: nanoseconds, unitCount: unitCount, checksum: checksum, heapBytes: heapBytes, laps: laps)
  }
}
