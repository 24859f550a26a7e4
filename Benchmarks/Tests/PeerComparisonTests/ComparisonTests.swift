import PeerComparison
import Synchronization
import Testing

@Suite struct ComparisonTests {
  /// A contender that does no work, and notes its turns.
  private final class Scripted: Contender {
    let subject: Subject
    private let checksum: Int
    private let log: Log

    init(_ subject: Subject, checksum: Int = 7, _ log: Log) {
      self.subject = subject
      self.checksum = checksum
      self.log = log
    }

    func perform(_ assignment: Assignment) async throws -> Sample {
      log.turns.withLock { $0.append("\(assignment.benchmark.rawValue) \(subject.rawValue)") }
      return Sample(nanoseconds: 1, unitCount: assignment.items.count, checksum: checksum)
    }
  }

  private final class Log: Sendable {
    let turns = Mutex<[String]>([])
  }

  private func options(rounds: Int, cases: [BenchmarkCase]) -> ComparisonOptions {
    var options = ComparisonOptions()
    options.rowCount = 20
    options.roundCount = rounds
    options.pythonRoundCount = 1
    options.cases = cases
    return options
  }

  @Test func `subjects take turns inside each round, each round from another one on, Python in the first ones only`()
    async throws
  {
    let log = Log()
    let contenders = [Subject.stackbench, .raw, .sqlalchemyORM].map { Scripted($0, log) }
    let figures = try await Comparison(options(rounds: 2, cases: [.fetch, .reread]), contenders: contenders).run()
    #expect(
      log.turns.withLock { $0 } == [
        "fetch stackbench", "fetch raw", "fetch sqlalchemy-orm", "reread stackbench",
        "fetch raw", "fetch stackbench", "reread stackbench",
      ])
    #expect(figures.samples(of: .fetch, by: .raw).count == 2)
    #expect(figures.samples(of: .fetch, by: .sqlalchemyORM).count == 1)
  }

  @Test func `subjects that read different data are not compared`() async throws {
    let log = Log()
    let comparison = Comparison(
      options(rounds: 1, cases: [.fetch]),
      contenders: [Scripted(.stackbench, log), Scripted(.raw, checksum: 8, log)])
    let error = await #expect(throws: PeerError.self) { try await comparison.run() }
    #expect(error?.code == .disagreement)
    #expect(error?.message == "raw and stackbench end with different data in fetch")
  }

  @Test func `a store that a subject left as it was is found out`() async throws {
    let log = Log()
    let comparison = Comparison(
      options(rounds: 1, cases: [.insert]), contenders: [EngineContender(), Scripted(.raw, log)])
    await #expect(throws: PeerError.self) { try await comparison.run() }
  }
}
