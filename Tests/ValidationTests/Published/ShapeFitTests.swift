import Foundation
import Harness
import InputFiles
import MachineCore
import MachineSimulated
import Metrics
import Testing

@testable import Experiments
@testable import Validation

struct ShapeFitTests {
  private let shape: CostShape
  private let reference: CostReference
  private let anchor: Profile
  private let phone: Profile
  private let benchmarks: [String: ProfileConstant]

  init() throws {
    shape = try ProfileLibrary.shape()
    reference = try ProfileLibrary.reference()
    anchor = try ProfileLibrary.profile(named: "iphone-6-ios-11")
    phone = try ProfileLibrary.profile(named: "iphone-7-plus")
    benchmarks = try FittedDevices(shape: shape).benchmarks()
  }

  /// Returns a figure of counted work that took `factor` nanoseconds for each of the reference's instructions.
  private func figure(
    _ table: String, _ kind: Work.Kind, _ count: Int, factor: Double, on device: Profile? = nil,
    role: PublishedRole = .fitted
  ) -> ShapeFit.Figure {
    let ledger = WorkLedger()
    ledger.add(Work(kind, count: count), for: .background)
    var measurement = PublishedMeasurement()
    measurement.work = WorkCounts(of: ledger)
    let instructions = Double(count) * (reference.costs[kind, .cpu]?.value ?? 0)
    return ShapeFit.Figure(
      table: table, row: "row", name: kind.name, clock: .cpu, role: role, published: instructions * factor,
      device: device ?? anchor, measurement: measurement)
  }

  private func fit(_ figures: [ShapeFit.Figure]) -> ShapeFit {
    ShapeFit(figures, shape: shape, reference: reference, benchmarks: benchmarks)
  }

  private func factor(_ group: String, _ fit: ShapeFit) throws -> Double {
    try #require(fit.fittedShape().groups.first { $0.name == group }).factor.value
  }

  @Test func `tables that agree determine the factors of Core Data's groups`() throws {
    let speed = try #require(anchor.speed?.value)
    let figures = ["a", "b", "c"].flatMap { table in
      [Work.Kind.propertySet, .rowWritten, .saveBegun].map { figure(table, $0, 10_000, factor: 20 * speed) }
    }
    let fit = fit(figures)
    for group in ["objects", "savingObjects", "saving"] {
      let factor = try factor(group, fit)
      #expect(abs(factor / 20 - 1) < 0.1, "\(group)")
    }
    // A weak prior predicts tables that agree exactly best, and leaves the common factor some freedom.
    #expect(fit.commonFactor > 10 && fit.commonFactor < 22)
    #expect(try abs(factor("pushing", fit) / fit.commonFactor - 1) < 0.01)
    // The factor of work in other libraries is not drawn towards Core Data's common factor.
    #expect(try factor("decoding", fit) < 2)
    #expect(fit.scatterBetweenTables < 0.1)
  }

  @Test func `a fitted speed lies between its benchmarks and its figures`() throws {
    let speed = try #require(anchor.speed?.value)
    let prior = try #require(benchmarks["iphone-7-plus"]?.value)
    let figures = ["a", "b"].flatMap { table in
      [Work.Kind.propertySet, .rowWritten].map { figure(table, $0, 10_000, factor: 20 * speed) }
    }
    let slower = [Work.Kind.propertySet, .rowWritten].map {
      figure("c", $0, 10_000, factor: 20 * speed * prior * 2, on: phone)
    }
    let fitted = try #require(fit(figures + slower).speed(of: "iphone-7-plus"))
    #expect(fitted > prior * 1.2 && fitted < prior * 2)
    #expect(fit(figures).speed(of: "iphone-7-plus") == nil)
  }

  @Test func `predicted figures do not change the fit`() throws {
    let fitted = ["a", "b"].map { figure($0, .propertySet, 10_000, factor: 9) }
    let near = fit(fitted + [figure("c", .rowWritten, 10_000, factor: 9, role: .predicted)])
    let far = fit(fitted + [figure("c", .rowWritten, 10_000, factor: 900, role: .predicted)])
    #expect(near.fittedShape() == far.fittedShape())
    #expect(near.priorDeviation == far.priorDeviation)
  }

  @Test func `the fit takes the strongest prior within a standard error of the best`() throws {
    let kinds: [Work.Kind] = [.propertySet, .rowWritten, .saveBegun, .faultFired]
    let figures = ["a", "b", "c"].enumerated().flatMap { place, table in
      kinds.enumerated().map { figure(table, $1, 10_000, factor: Double(4 + 3 * $0 + place)) }
    }
    let fit = fit(figures)
    let best = try #require(fit.scores.map(\.score).min { $0.mean < $1.mean })
    let allowed = fit.scores.filter { $0.score.mean <= best.mean + best.standardError }
    #expect(fit.priorDeviation == allowed.map(\.deviation).min())
  }

  @Test func `decoding has a factor of its own in each table`() throws {
    let speed = try #require(anchor.speed?.value)
    let figures = [("a", 1.0), ("b", 40)].flatMap { table, factor in
      [
        figure(table, .propertySet, 10_000, factor: 9 * speed),
        figure(table, .recordDecoded, 1_000, factor: factor * speed),
      ]
    }
    let fit = fit(figures)
    #expect(abs(try factor("objects", fit) / 9 - 1) < 0.1)
    #expect(try factor("decoding", fit) < 2)
    for place in figures.indices { #expect(abs(fit.time(ofFigure: place) / figures[place].published - 1) < 0.1) }
  }

  @Test func `a group without figures takes the factor of its relative`() throws {
    let speed = try #require(anchor.speed?.value)
    let figures = ["a", "b", "c"].flatMap { table in
      [figure(table, .objectTested, 10_000, factor: 3 * speed), figure(table, .saveBegun, 10_000, factor: 50 * speed)]
    }
    let groups = fit(figures).fittedShape().groups
    let (testing, controllers) = (groups.first { $0.name == "testing" }, groups.first { $0.name == "controllers" })
    #expect(abs((controllers?.factor.value ?? 0) / (testing?.factor.value ?? 0) - 1) < 0.01)
    #expect(controllers?.factor.source == "assumption: no published row shows it; as testing")
    #expect(testing?.factor.source == "fitted to a, b, c")
  }

  @Test func `the axes of a shape reproduce the ranges of its factors`() throws {
    let figures = ["a", "b"].map { figure($0, .propertySet, 10_000, factor: $0 == "a" ? 4 : 16) }
    for group in fit(figures).fittedShape().groups {
      let variance = group.axes.reduce(0) { $0 + log($1) * log($1) }
      #expect(abs(variance.squareRoot() / log(group.factor.high / group.factor.value) - 1) < 1e-6, "\(group.name)")
    }
  }

  @Test func `a score has the mean of errors and its standard error`() {
    let score = ShapeFit.Score([1, 2, 3, 4])
    #expect(score.mean == 2.5)
    #expect(abs(score.standardError - (5.0 / 3 / 4).squareRoot()) < 1e-12)
    #expect(ShapeFit.Score([7]).standardError == 0)
  }

  @Test func `a fit writes the shape and all relative devices with fitted ranges`()
    throws
  {
    let fit = fit(["a", "b"].map { figure($0, .propertySet, 10_000, factor: $0 == "a" ? 4 : 16) })
    let files = try FittedDevices(shape: shape).files(of: fit)
    #expect(files.map(\.name).contains("core-data.yaml") && files.map(\.name).contains("iphone-15-pro.yaml"))
    #expect(!files.map(\.name).contains("iphone-6-ios-11.yaml"))
    let text = try #require(files.first { $0.name == "iphone-15-pro.yaml" }).text
    let declaration = try ProfileReader(place: "iphone-15-pro").declaration(from: text)
    guard case .relative(_, let speed)? = declaration.speed else {
      Issue.record("the speed is not relative")
      return
    }
    #expect(speed.value == benchmarks["iphone-15-pro"]?.rounded.value)
    #expect(abs(log(speed.high / speed.value) / (1.645 * fit.scatterBetweenTables) - 1) < 0.01)
  }
}
