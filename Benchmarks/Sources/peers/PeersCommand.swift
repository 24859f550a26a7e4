import ArgumentParser
import Foundation
import PeerComparison

/// Compares the engine with its peers and says which of its floors and aims it meets.
@main
struct PeersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "peers",
    abstract: "Compares the context engine with raw SQLite, structs kept by hand, GRDB and SQLAlchemy.",
    discussion:
      "Ends with 0 where every floor and bound that was measured is met, 1 where one is missed, 64 on bad use.")

  @Option(help: "Rows that each case is over.")
  var rows = 100_000

  @Option(help: "Rounds; figures are medians over them. (default: 7; 2 with --scale, whose figures are the least)")
  var rounds: Int?

  @Option(help: "Rounds in which SQLAlchemy takes part, the first ones.")
  var pythonRounds = 3

  @Option(help: "Cases, separated by commas.", transform: { try choices($0) })
  var cases = BenchmarkCase.allCases

  @Option(help: "Subjects, separated by commas; SQLAlchemy's need --python.", transform: { try choices($0) })
  var subjects: [Subject]?

  @Option(help: "The Python that has SQLAlchemy.")
  var python: String?

  @Option(help: "The clock: wall, or processor, which does not see what else the computer does.")
  var clock = Clock.wall

  @Option(help: "Cases of which the engine's steps are timed apart and printed.", transform: { try choices($0) })
  var budget: [BenchmarkCase] = []

  @Option(help: "The folder that peers.csv or scale.csv is written into. (default: Results/peers or Results/scale)")
  var output: String?

  @Flag(help: "Fit the growth of the engine's times from --rows to --most-rows instead; writes scale.csv.")
  var scale = false

  @Option(help: "The largest number of rows with --scale.")
  var mostRows = 1_000_000

  @Flag(help: "Do not tell of each run on standard error.")
  var quiet = false

  func validate() throws {
    guard rows >= 1 else { throw ValidationError("--rows must be at least 1") }
    guard !scale || ScaleStudy.rowCounts(from: rows, to: mostRows).count > 1 else {
      throw ValidationError("--most-rows must be at least three times --rows")
    }
    guard rounds ?? 1 >= 1 else { throw ValidationError("--rounds must be at least 1") }
    guard pythonRounds >= 1 else { throw ValidationError("--python-rounds must be at least 1") }
    if python == nil, let named = subjects?.first(where: \.isPython) {
      throw ValidationError("--subjects \(named.rawValue) needs --python, a Python that has SQLAlchemy")
    }
  }

  func run() async throws {
    do {
      let isKept = try await scale ? measureScale() : compare()
      if !isKept { throw ExitCode(1) }
    } catch let error as PeerError {
      show("")
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      throw ExitCode(error.code == .unwritable || error.code == .usage ? 64 : 1)
    }
  }

  /// Compares the subjects, and returns true if every floor that was measured is met.
  private func compare() async throws -> Bool {
    let options = comparisonOptions
    let figures = try await Comparison(options, contenders: contenders).run(progress: show)
    show("")
    try PeerFile.write(
      PeerFile.text(figures, cases: options.cases, subjects: options.subjects), to: output ?? "Results/peers")
    let table = PeerTable(
      figures, cases: options.cases, subjects: options.subjects, budgetCases: options.detailedCases)
    print(table.text)
    if options.subjects.contains(where: \.isPython) {
      print("SQLAlchemy ran \(min(options.roundCount, pythonRounds)) of the \(options.roundCount) rounds.")
    } else if subjects == nil {
      print("SQLAlchemy did not take part: no --python was given.")
    }
    return table.keepsFloors
  }

  /// Measures the growth, and returns true if every bound is kept.
  private func measureScale() async throws -> Bool {
    let study = ScaleStudy(
      rowCounts: ScaleStudy.rowCounts(from: rows, to: mostRows), roundCount: rounds ?? 2, clock: clock)
    let figures = try await study.run(progress: show)
    show("")
    try PeerFile.write(figures.file, as: ScaleFigures.name, to: output ?? "Results/scale")
    print(figures.text, terminator: "")
    return figures.keepsBounds
  }

  private var comparisonOptions: ComparisonOptions {
    var options = ComparisonOptions()
    options.rowCount = rows
    options.roundCount = rounds ?? options.roundCount
    options.pythonRoundCount = pythonRounds
    options.cases = BenchmarkCase.allCases.filter { cases.contains($0) || budget.contains($0) }
    options.subjects = Subject.allCases.filter { subject in
      subjects?.contains(subject) ?? (!subject.isPython || python != nil)
    }
    options.clock = clock
    options.detailedCases = Set(budget)
    return options
  }

  private var contenders: [any Contender] {
    let inProcess: [any Contender] = [
      EngineContender(), RawContender(), ByHandContender(), GRDBRecordsContender(), GRDBPreparedContender(),
    ]
    guard let python else { return inProcess }
    return inProcess + [Subject.sqlalchemyORM, .sqlalchemyCore].map { SQLAlchemyContender($0, python: python) }
  }

  /// Shows the name of the present run, on one line that the next call overwrites.
  private func show(_ message: String) {
    guard !quiet, isatty(FileHandle.standardError.fileDescriptor) == 1 else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(message)".utf8))
  }
}

extension Clock: ExpressibleByArgument {}

/// Returns the named values of a list with commas between.
private func choices<Choice: RawRepresentable & CaseIterable>(_ text: String) throws -> [Choice]
where Choice.RawValue == String {
  try text.split(separator: ",").map { name in
    guard let choice = Choice(rawValue: String(name)) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\(name) is none of \(known)")
    }
    return choice
  }
}
