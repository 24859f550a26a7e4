import InputFiles
import MachineCore
import MachineSimulated
import Metrics
import Testing

@testable import Experiments
@testable import Validation

struct ProfileFitTests {
  private let reference: CostReference

  init() throws {
    reference = try ProfileLibrary.reference()
  }

  /// Returns the measurements of a scenario with some kinds of work, on a computer that takes `speed` nanoseconds for
  /// an instruction, times the factor of each kind.
  private func scenario(
    _ name: String, _ kinds: [Work.Kind: Int], speed: Double = 0.1, factors: [Work.Kind: Double] = [:]
  ) -> [WorkMeasurement] {
    [1, 2, 4].map { size in
      var measurement = WorkMeasurement(scenario: name, size: size, cpu: .zero, storage: .zero)
      var nanoseconds = 0.0
      for kind in Work.Kind.allCases {
        guard let count = kinds[kind] else { continue }
        measurement[count: kind] = count * size
        let cost = reference.costs[kind, .cpu]?.value ?? 0
        nanoseconds += Double(count * size) * cost * speed * (factors[kind] ?? 1)
      }
      measurement.cpu = TimeSpan(nanoseconds: Int64(nanoseconds))
      return measurement
    }
  }

  @Test func `the fit of a uniformly slower computer is exact`() {
    let fit = ProfileFit(
      scenario("rows", [.rowWritten: 1_000, .valueBound: 4_000]) + scenario("set", [.propertySet: 5_000])
        + scenario("both", [.rowWritten: 500, .propertySet: 9_000, .cellRead: 800]), reference: reference)
    #expect(abs(fit.speed / 0.1 - 1) < 0.01)
    for line in fit.lines { #expect(abs(line.value / (0.1 * (reference.costs[line.part]?.value ?? 0)) - 1) < 0.05) }
    #expect(fit.meanError < 0.05)
  }

  @Test func `a kind measured by several scenarios gets its own cost`() throws {
    let factors: [Work.Kind: Double] = [.cellRead: 3]
    let fit = ProfileFit(
      (1...6).flatMap { place in
        scenario("cells \(place)", [.cellRead: 1_000 * place, .propertySet: 100], factors: factors)
      } + scenario("set", [.propertySet: 5_000]) + scenario("objects", [.objectRegistered: 4_000]),
      reference: reference)
    let cells = try #require(fit[CostPart(.cellRead, component: .cpu)])
    let objects = try #require(fit[CostPart(.objectRegistered, component: .cpu)])
    let instructions = try #require(reference.costs[.cellRead, .cpu]?.value)
    #expect(abs(cells.value / (0.3 * instructions) - 1) < 0.1)
    #expect(cells.isDetermined)
    #expect(objects.value < 0.2 * (reference.costs[.objectRegistered, .cpu]?.value ?? 0))
  }

  @Test func `a calibrated profile has exactly the fitted constants`() throws {
    let fit = ProfileFit(
      scenario("rows", [.rowWritten: 1_000, .valueBound: 4_000]) + scenario("set", [.propertySet: 5_000]),
      reference: reference)
    let host = try ProfileLibrary.declaration(named: "host")
    let declaration = CalibratedProfile(
      name: "mine",
      data: CalibrationData(rows: [], title: "Mine", origin: "a test", hardware: host.hardware), fit: fit,
      storage: StorageFit([], host: host)
    ).declaration(host: host, reference: reference)
    for line in fit.lines { #expect(declaration.costs[line.part]?.value == line.value, "\(line.part.name)") }
    #expect(declaration.costs[.cellRead, .cpu] == nil)
  }
}
