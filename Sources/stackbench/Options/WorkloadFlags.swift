import ArgumentParser
import Harness
import MachineCore
import Workloads

/// What is imported, in which pieces, and how it arrives.
struct WorkloadFlags: ParsableArguments {
  private static let live = StandardSizes.of(.live)
  private static let simulated = StandardSizes.of(.simulated)

  @Option(
    help: ArgumentHelp(
      "catalog (three linked entities), catalog-reorder (its updates change the sort key), flat (one entity), or a "
        + "feed: .json, .jsonl, .ndjson, .geojson. (default: catalog)",
      valueName: "name|file"),
    // A shell takes a list or files; this prints both.
    completion: .shellCommand(
      "printf '%s\\n' \(Workload.generatedNames.joined(separator: " ")); "
        + "ls -d -- *.json *.jsonl *.ndjson *.geojson 2>/dev/null"),
    transform: OptionValue.path)
  var workload = "catalog"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Records imported. (default: \(live.rows) live, \(simulated.rows) simulated; a feed's own size)", valueName: "n"),
    transform: OptionValue.integer(in: 1...WorkloadOptions.largestRowCount))
  var rows: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rows in the store, and on screen, before the first payload. "
        + "(default: \(live.existingRows) live, \(simulated.existingRows) simulated; 0 with a feed)",
      valueName: "n"),
    transform: OptionValue.integer(in: 0...WorkloadOptions.largestRowCount))
  var existingRows: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Records per payload, one delivery from the network. "
        + "(default: \(live.batchSize) live, \(simulated.batchSize) simulated, at most the rows)",
      valueName: "n"),
    transform: OptionValue.integer(in: 1...WorkloadOptions.largestRowCount))
  var batchSize: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Records per unit: one fetch, one set of changes, one save; at most the batch size. (default: the batch size)",
      valueName: "n"),
    transform: OptionValue.integer(in: 1...WorkloadOptions.largestRowCount))
  var saveEvery: Int?

  @Option(
    help: ArgumentHelp(
      "How updated objects are found: one fetch per unit, one per record, or none (blind inserts, only with "
        + "--mix 100:0:0). (default: unit)", valueName: "unit|record|none"),
    completion: .list(RunOptions.Lookup.allCases.map(\.rawValue)),
    transform: OptionValue.name(of: RunOptions.Lookup.allCases.map(\.rawValue)))
  var lookup = RunOptions.Lookup.unit.rawValue

  @Option(
    help: ArgumentHelp(
      "How records are written: as objects of the import's context, or by batch inserts past all contexts, whose IDs "
        + "are then merged from the root to the UI (only workloads without links, with --mix 100:0:0). "
        + "(default: objects)", valueName: "objects|batch-insert"),
    completion: .list(RunOptions.Strategy.allCases.map(\.rawValue)),
    transform: OptionValue.name(of: RunOptions.Strategy.allCases.map(\.rawValue)))
  var strategy = RunOptions.Strategy.objects.rawValue

  @Option(
    help: ArgumentHelp(
      "Inserts, updates and deletes in per cent. (default: \(Mix.standard); \(Mix.insertsOnly) with a feed)",
      valueName: "i:u:d"))
  var mix: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Milliseconds between payloads; 0 = the next arrives when the last is saved. (default: 0)", valueName: "ms"),
    transform: OptionValue.milliseconds(upTo: 3_600_000))
  var arrivalInterval: Span?

  @Option(
    help: ArgumentHelp(
      "Where JSON is parsed: on the network queue or inside the import block. (default: network; import in all-main)",
      valueName: "network|import"),
    completion: .list(RunOptions.DecodePlace.allCases.map(\.rawValue)),
    transform: OptionValue.name(of: RunOptions.DecodePlace.allCases.map(\.rawValue)))
  var decode: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Imports at a time, each of the payloads of a lane of its own. (default: 1)", valueName: "n"),
    transform: OptionValue.integer(in: 1...WorkloadOptions.largestLaneCount))
  var concurrentImports = 1
}

// MARK: - Meaning

extension WorkloadFlags {
  /// What to import; a feed's size stays open until it has been read.
  func workloadOptions(seed: UInt64, machine: MachineKind) throws -> WorkloadOptions {
    let standard = StandardSizes.of(machine)
    do {
      let workload = try Workload(argument: self.workload)
      let rows = rows ?? (workload.isFeed ? nil : standard.rows)
      let standardBatchSize = min(standard.batchSize, rows ?? .max)
      let options = WorkloadOptions(
        workload: workload, rows: rows,
        existingRows: existingRows ?? (workload.isFeed ? 0 : standard.existingRows),
        batchSize: batchSize ?? standardBatchSize,
        mix: try mix.map(Mix.init(argument:)) ?? (workload.isFeed ? .insertsOnly : .standard),
        lanes: concurrentImports, seed: seed)
      try options.validate()
      return options
    } catch {
      throw CommandFailure.usage("\(error)")
    }
  }

  /// Fills in what concerns the workload.
  ///
  /// - Throws: `CommandFailure` for flags that contradict each other.
  func apply(to options: inout RunOptions, workload: WorkloadOptions) throws {
    options.lanes = concurrentImports
    options.saveEvery = saveEvery ?? workload.batchSize
    try WorkloadFlags.check(saveEvery: options.saveEvery, batchSize: workload.batchSize)
    options.lookup = RunOptions.Lookup(rawValue: lookup) ?? .unit
    guard options.lookup != .none || workload.mix == .insertsOnly else {
      throw CommandFailure.usage(
        "--lookup none: blind inserts cannot carry the updates and deletes of --mix \(workload.mix); "
          + "use --mix 100:0:0 or another look-up")
    }
    options.strategy = RunOptions.Strategy(rawValue: strategy) ?? .objects
    if options.strategy == .batchInsert { try checkBatchInsert(&options, workload) }
    options.arrivalInterval = arrivalInterval ?? options.arrivalInterval
    options.decode = decode.flatMap(RunOptions.DecodePlace.init(rawValue:))
  }

  /// Batch inserts write rows of one entity each and look nothing up.
  private func checkBatchInsert(_ options: inout RunOptions, _ workload: WorkloadOptions) throws {
    guard !workload.workload.hasLinks else {
      throw CommandFailure.usage(
        "--strategy batch-insert: batch inserts cannot set the links of --workload \(workload.workload.name); "
          + "use --workload flat or a feed")
    }
    guard workload.mix == .insertsOnly else {
      throw CommandFailure.usage(
        "--strategy batch-insert: batch inserts cannot carry the updates and deletes of --mix \(workload.mix); "
          + "use --mix 100:0:0")
    }
    guard options.lookup != .record else {
      throw CommandFailure.usage("--strategy batch-insert: batch inserts look nothing up; leave --lookup record out")
    }
    options.lookup = .none
  }

  /// A unit is part of a payload.
  static func check(saveEvery: Int, batchSize: Int) throws {
    guard saveEvery <= batchSize else {
      throw CommandFailure.usage(
        "--save-every \(saveEvery): over the batch size of \(batchSize); use 1 to \(batchSize), or a larger --batch-size"
      )
    }
  }
}
