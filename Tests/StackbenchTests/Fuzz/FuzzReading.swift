import ArgumentParser
import CommandShell
import ContextEngine
import Foundation
import Glibc
import Harness
import InputFiles
import MachineSimulated
import Metrics
import OutputFiles
import PredicateFormats
import Reporting
import TrialProcesses
import Workloads

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Reads the files of an input in this process, with the code with which commands read and print them.
struct FuzzReading {
  /// The folder of the input.
  let path: String
  private let corpus: FuzzCorpus
  private let plan: GatePlan
  private let now: GateResults
  /// The results of the baseline's runs, without damage.
  private let baseline: [GateResults?]
  /// The result of the run, without damage.
  private let result: ComparedResult
  private let reference: CostReference
  private let claims: ClaimCatalogue
  /// The commands that print a topology, one for each format, and a profile. To parse them takes longer than to read.
  private let topologies: [TopologiesCommand]
  private let profiles: ProfilesCommand
  /// The model of the store that is damaged.
  private let storeModel: ManagedObjectModel

  /// Reads the files that are never damaged.
  init(path: String, corpus: FuzzCorpus) throws {
    self.path = path
    self.corpus = corpus
    plan = try GatePlan(of: "\(corpus.path)/baseline")
    now = try GateResults(reading: ResultsFolder(path: "\(corpus.path)/run"))
    baseline = try Self.baseline(in: "\(corpus.path)/baseline").baseline.results(of: plan.runs)
    result = try FolderComparison.result("\(corpus.path)/run", words: .standard)
    reference = try ProfileLibrary.reference()
    claims = try ClaimLibrary.catalogue()
    topologies = try TopologiesCommand.formats.map {
      try TopologiesCommand.parse(["\(path)/topology.yaml", "--format", $0.rawValue])
    }
    profiles = try ProfilesCommand.parse(["\(path)/profile.yaml"])
    storeModel = try EngineModel(ModelDocument(path: "\(corpus.path)/Shop.xcdatamodel")).model
  }

  private func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Reads and prints the files. The text is not checked.
  func read(_ input: FuzzInput) throws {
    switch input.reader {
    case .comparison: try compare(input.number)
    case .run: try show("run", input.number)
    case .report: try report(input)
    case .gate: try gate(input)
    case .gatePlan: _ = try GatePlan(of: file("baseline"))
    case .plan: try collect()
    case .sweep: try showSweep(input.number)
    case .profile: _ = try profiles.text()
    case .topology: _ = try turn(of: topologies, input.number).printedText()
    case .publishedTable: _ = try PublishedLibrary.table(named: file("table.yaml"))
    case .claims:
      _ = try UserInput.read { () throws(YAMLError) in
        try ClaimLibrary.catalogue(at: file("claims.yaml"), with: claims)
      }
    case .measurements: try fit()
    case .feed: try importFeeds(input.files.keys.sorted())
    case .map: try importMapped()
    case .killed: try show("killed", input.number)
    case .answer:
      _ = try PrintedAnswer.comparison.text(in: file("answer"), format: turn(of: PrintedAnswer.formats, input.number))
    case .model: try inspectModel()
    case .settings:
      let path = file("stackbench.yaml")
      let text = try text(path)
      _ = try UserInput.read { () throws(YAMLError) in try SettingsFile(text: text, place: path) }
    case .store: try inspectStore()
    case .predicate: try makePredicate()
    case .flags: try parse(input.arguments)
    }
  }

  /// Returns one of several elements, which take turns over the numbers of inputs.
  private func turn<Element>(of elements: [Element], _ number: Int) -> Element { elements[number % elements.count] }

  private func show(_ folder: String, _ number: Int) throws {
    _ = try StoredRun(path: file(folder), words: .standard).printed()
      .text(turn(of: PrintedRun.formats, number), style: TextStyle(usesColour: true))
  }

  /// Compares two results and prints the comparison. The designs and formats take turns over the numbers of inputs.
  private func compare(_ number: Int) throws {
    let (first, second) = try FolderComparison(paths: [file("run"), "\(corpus.path)/run"], words: .standard).results()
    let designs = [Comparison.Design.exact, .unpaired, .paired]
    let comparison = Comparison(first.trials, second.trials, design: turn(of: designs, number))
    _ = try ComparisonPage(comparison, first: first, second: second)
      .text(turn(of: ComparisonPage.formats, number / designs.count))
  }

  /// Reads the tables of a result and makes its report. An input of one table has the undamaged manifest and trials.
  private func report(_ input: FuzzInput) throws {
    let result = try input.files.count == 1 ? result : FolderComparison.result(file("run"), words: .standard)
    let reported = try ReportedResult(result, folder: file("run"))
    _ =
      RunReport(
        result: reported, answer: StoredAnswer(of: reported).answer { _, _ in nil }.answer, charts: []
      ).html
  }

  private static func baseline(in folder: String) -> (source: GateSource, baseline: GateBaseline) {
    let source = GateSource(file: nil, baseline: folder)
    return (source, GateBaseline(path: source.baseline, words: source.baselineWords))
  }

  /// Compares the results of a gate. An input of one file, which is that of the noise, has the undamaged baseline.
  private func gate(_ input: FuzzInput) throws {
    let (source, baseline) = Self.baseline(in: file("baseline"))
    let before = try input.files.count == 1 ? self.baseline : baseline.results(of: plan.runs)
    let noise = try baseline.noise(of: plan.runs)
    let comparisons = zip(zip(plan.runs, before), noise).compactMap { run, noise in
      run.1.map {
        GateComparison(
          of: run.0.name, flags: run.0.flagNames, roles: SettingTable.standard.roles(.standard), before: $0, now: now,
          again: now,
          tolerances: plan.tolerances, noise: noise)
      }
    }
    let report = GateOutcome(baseline: baseline.path, comparisons: comparisons)
    _ = try GateReport(report, words: source.words).text(turn(of: GateReport.formats, input.number))
  }

  private func collect() throws {
    let folder = SweepFolder(path: file("sweep"))
    let plan = try SweepPlan(file: folder.planPath)
    let found = try SweepResults(of: plan.trials.compactMap { try folder.result(of: $0) }, in: file("sweep"))
    _ = [found.csv.text, found.command, found.missing(from: plan) ?? ""] + found.complaints
  }

  private func showSweep(_ number: Int) throws {
    let sweep = try StoredSweep(path: file("sweep"))
    _ = try sweep.text(turn(of: StoredSweep.formats, number))
    _ = sweep.report.html
  }

  private func fit() throws {
    let table = try MeasurementTable(path: file("measurements.csv"))
    let fit = ProfileFit(table.measurements, reference: reference)
    _ = CalibrationResult(fit: fit).text
  }

  private func importFeeds(_ names: [String]) throws {
    for name in names {
      let folder = URL(fileURLWithPath: file("archive"))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      do {
        try WorkloadArchive.write(
          WorkloadOptions(
            workload: try Workload(argument: file(name)), rows: nil, existingRows: 0, batchSize: 10,
            mix: .insertsOnly), to: folder)
      } catch {
        try FuzzReading.check("\(error)")
      }
    }
  }

  /// Imports a feed through a map, more often than the feed has records.
  private func importMapped() throws {
    let folder = URL(fileURLWithPath: file("archive"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      var options = WorkloadOptions(
        workload: .feed(path: file("feed.json")), rows: 4, existingRows: 0, batchSize: 3, mix: .insertsOnly)
      options.map = try FeedMapFile.map(file("map.yaml"))
      try WorkloadArchive.write(options, to: folder)
    } catch {
      try FuzzReading.check("\(error)")
    }
  }

  private func text(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else { throw FileError(reading: path, ENOENT) }
    return String(decoding: data, as: UTF8.self)
  }

  private func inspectModel() throws {
    do {
      let document = try ModelDocument(path: file("App.xcdatamodel"))
      _ = [ModelDiagram(document).text, TerminalPage(ModelPage.page(of: document)).text]
      _ = try EngineModel(document)
    } catch {
      throw RunFailure.usage("\(error)")
    }
  }

  private func inspectStore() throws {
    let store = try InspectedStore(file("store.sqlite"), copyingInto: path)
    let comparison = StoreModelComparison(store.contents, with: storeModel, versions: []) { _ in nil }
    _ = TerminalPage(StorePage.page(of: store, comparison: comparison)).text
    _ = StoreSummary(store.contents, comparison: comparison)
  }

  /// Makes a predicate of the format in the file. Each argument of the format has a value.
  private func makePredicate() throws {
    let format = try text(file("predicate.txt"))
    let values: [any PredicateArgument] = ["c5", 3, 2.5, ["a", "b"]]
    let count = format.utf8.count { $0 == UInt8(ascii: "%") }
    do {
      _ = try FetchPredicate(
        format: format, argumentArray: (0..<count).map { values[$0 % values.count] }, for: storeModel.entity("Item"),
        in: storeModel)
    } catch {
      throw RunFailure.usage("\(error)")
    }
  }

  private func parse(_ arguments: [String]) throws {
    guard CommandName.unknown(in: arguments, of: Stackbench.self) == nil else { return }
    do {
      let command = try Stackbench.parseAsRoot(arguments)
      if let run = command as? RunCommand { _ = try run.experiment() }
    } catch let failure as RunFailure {
      throw failure
    } catch  where Stackbench.exitCode(for: error).isSuccess {
      // The arguments ask for help, which is not an error.
    } catch {
      throw CommandLineRun.failure(parsing: error, Stackbench.self)
    }
  }
}

// MARK: - Checks

extension FuzzReading {
  struct Finding: Error {
    var text: String
  }

  /// The largest number of characters in a line of standard error.
  private static let longestLine = 2_100

  /// Reads an input. Returns a description of the misbehaviour, or nil if the input was read or refused correctly.
  func finding(_ input: FuzzInput) -> String? {
    do {
      try read(input)
    } catch let failure as RunFailure where [.badUsage, .failed].contains(failure.status) {
      return FuzzReading.flaw(ofLine: MessageText.line("error: \(failure.message)"))
    } catch let error as FileError {
      return FuzzReading.flaw(ofLine: MessageText.line("error: \(error)"))
    } catch let finding as Finding {
      return finding.text
    } catch {
      return "an error that no command expects: \(type(of: error)): \(error)"
    }
    return nil
  }

  private static func check(_ message: String) throws {
    if let flaw = flaw(ofLine: MessageText.line("error: \(message)")) { throw Finding(text: flaw) }
  }

  /// Returns the fault of a line of standard error, or nil if the line is correct.
  static func flaw(ofLine line: String) -> String? {
    guard line.count <= longestLine else { return "a message of \(line.count) characters: \(line.prefix(200))" }
    let isObeyed = line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202e}" }
    return isObeyed ? "a control character in a message: \(line.debugDescription.prefix(300))" : nil
  }
}
