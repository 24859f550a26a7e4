import Glibc
import MachineSimulated
import Metrics

/// Fits the constants of a profile that may be fitted to the fitted rows of a published table.
///
/// Least squares of the logarithms of simulated over published figures, by Gauss-Newton steps with differences for
/// slopes, inside the profile's ranges: a constant at the end of its range is there because the rows alone would take it
/// further than anybody believes. The simulation is deterministic, and so is the search.
struct PublishedFit {
  let run: PublishedRun
  let progress: ProgressLine

  struct Outcome: Sendable {
    var profile: Profile
    /// What was fitted.
    var constants: [FittedConstant]
    /// How many devices were simulated on the way.
    var deviceCount: Int
    /// The largest |simulated/published − 1| of the figures fitted to.
    var largestError: Double
  }

  private static let stepLimit = 12
  /// The step of the differences, in logarithms.
  private static let difference = 0.05
  /// What an error of main's CPU time counts beside one of a total: the cost of merging has to make up for it, while the
  /// totals have all else.
  private static let mainWeight = 0.1
  /// What a step must gain of the sum of squares to be followed by another.
  private static let leastGain = 0.001

  /// One figure that was published.
  private struct Target {
    let row: Int
    let phase: Int
    let published: Double
    /// How much it counts.
    var weight = 1.0
    let figure: @Sendable (ChildPublishedCommand.Figures) -> Double
  }

  /// - Throws: `CommandFailure` for a profile in which nothing may be fitted, and of rows that fail.
  func fit(_ profile: Profile) async throws -> Outcome {
    let constants = parameters.filter { $0.isPresent(in: profile) }
    guard constants.contains(.cpuScale) else {
      throw CommandFailure.usage(
        "--fit: profile \(profile.name) has no cpuScale to fit; use one that takes another's ratios")
    }
    let bounds = constants.map { $0.bounds(in: profile) }
    func device(at point: [Double]) -> Profile {
      zip(constants, point).reduce(profile) { $1.0.scaling($0, by: exp($1.1)) }
    }
    var point = constants.map { _ in 0.0 }
    var residuals = try await residuals(of: [device(at: point)])[0]
    var deviceCount = 1
    for _ in 0..<PublishedFit.stepLimit {
      let neighbours = constants.indices.map { index in
        var moved = point
        moved[index] += PublishedFit.difference
        return moved
      }
      let around = try await self.residuals(of: neighbours.map(device))
      let slopes = constants.indices.map { index in
        zip(around[index], residuals).map { ($0 - $1) / (neighbours[index][index] - point[index]) }
      }
      // Shorter and shorter steps in the same direction, simulated together.
      let direction = Self.step(slopes: slopes, residuals: residuals)
      let candidates = [1, 0.5, 0.125].map { length in
        constants.indices.map { index in
          min(max(point[index] + length * direction[index], bounds[index].lowerBound), bounds[index].upperBound)
        }
      }
      let outcomes = try await self.residuals(of: candidates.map(device))
      deviceCount += neighbours.count + candidates.count
      let best = outcomes.indices.min { Self.squares(outcomes[$0]) < Self.squares(outcomes[$1]) } ?? 0
      let gain = Self.squares(residuals) - Self.squares(outcomes[best])
      guard gain > 0 else { break }
      let isOver = gain < PublishedFit.leastGain * Self.squares(residuals)
      point = candidates[best]
      residuals = outcomes[best]
      if isOver { break }
    }
    return Outcome(
      profile: device(at: point), constants: constants, deviceCount: deviceCount,
      largestError: zip(residuals, targets).map { abs(exp($0 / $1.weight) - 1) }.max() ?? 0)
  }
}

// MARK: - What is fitted to what

extension PublishedFit {
  /// CPU times alone say nothing of storage, and where nothing is merged nothing says what merging costs.
  private var parameters: [FittedConstant] {
    switch run.table {
    case .kugler2013: [.cpuScale, .storage, .merging]
    case .anchorIPhone6: [.cpuScale]
    }
  }

  private var targets: [Target] {
    switch run.table {
    case .kugler2013:
      PublishedFigures.kugler2013.filter { $0.role == .fitted }.enumerated().flatMap { row, published in
        [
          Target(
            row: row, phase: 0, published: Double(published.totalMilliseconds) * 1e6,
            figure: { Double($0.total.nanoseconds) }),
          Target(
            row: row, phase: 0, published: Double(published.mainCPUMilliseconds) * 1e6, weight: PublishedFit.mainWeight,
            figure: { Double($0.mainCPU.nanoseconds) }),
        ]
      }
    case .anchorIPhone6:
      AnchorComparison.Phase.allCases.enumerated().map { place, phase in
        Target(
          row: 0, phase: place, published: Double(phase.publishedCPUMilliseconds) * 1e6,
          figure: { Double($0.cpu.nanoseconds) })
      }
    }
  }

  private var rows: [PublishedTable.Row] {
    switch run.table {
    case .kugler2013:
      PublishedFigures.kugler2013.filter { $0.role == .fitted }
        .map { .twoPhaseImport(topology: $0.topology, $0.batching) }
    case .anchorIPhone6: [.anchor]
    }
  }

  /// The logarithm of simulated over published, for each device and target.
  private func residuals(of devices: [Profile]) async throws -> [[Double]] {
    let figures = try await run.figures(of: rows, on: devices, progress: progress)
    return figures.map { rows in
      targets.map { $0.weight * log(max($0.figure(rows[$0.row][$0.phase]), 1) / $0.published) }
    }
  }
}

// MARK: - Least squares

extension PublishedFit {
  private static func squares(_ residuals: [Double]) -> Double {
    residuals.reduce(0) { $0 + $1 * $1 }
  }

  /// The step that would end in the least squares if all were linear: (JᵀJ + ε)·d = −Jᵀr.
  ///
  /// - Parameter slopes: for each parameter the slope of each residual.
  static func step(slopes: [[Double]], residuals: [Double]) -> [Double] {
    func product(_ left: [Double], _ right: [Double]) -> Double { zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }
    let count = slopes.count
    var matrix = slopes.indices.map { row in
      slopes.indices.map { product(slopes[row], slopes[$0]) } + [-product(slopes[row], residuals)]
    }
    // Keeps a parameter that nothing depends on where it is.
    for index in 0..<count { matrix[index][index] += 1e-9 }
    for column in 0..<count {
      let pivot = (column..<count).max { abs(matrix[$0][column]) < abs(matrix[$1][column]) } ?? column
      matrix.swapAt(column, pivot)
      for row in 0..<count where row != column {
        let factor = matrix[row][column] / matrix[column][column]
        for place in column...count { matrix[row][place] -= factor * matrix[column][place] }
      }
    }
    return (0..<count).map { matrix[$0][count] / matrix[$0][$0] }
  }
}
