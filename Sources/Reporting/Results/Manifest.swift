import Foundation
import Metrics
import OutputFiles

/// The contents of `manifest.json`: the circumstances of a result.
package struct Manifest: Hashable, Sendable, Codable {
  package struct Versions: Hashable, Sendable, Codable {
    package var tool: String
    package var swift: String
    package var sqlite: String
    /// The versions of the packages, by name.
    package var packages: [String: String]

    package init(tool: String, swift: String, sqlite: String, packages: [String: String]) {
      self.tool = tool
      self.swift = swift
      self.sqlite = sqlite
      self.packages = packages
    }
  }

  package struct Host: Hashable, Sendable, Codable {
    package var cpuModel: String
    package var cores: Int
    package var kernel: String

    package init(cpuModel: String, cores: Int, kernel: String) {
      self.cpuModel = cpuModel
      self.cores = cores
      self.kernel = kernel
    }

    private enum CodingKeys: String, CodingKey {
      case cpuModel = "cpu_model"
      case cores
      case kernel
    }
  }

  /// The file system that held the stores, and the cost of a sync there.
  package struct FileSystem: Hashable, Sendable, Codable {
    package var type: String
    package var fsyncNanoseconds: Int64?
    /// True if the stores lay in memory. A sync then costs no time, and figures that include one mean little.
    package var isTmpfs: Bool

    package init(type: String, fsyncNanoseconds: Int64?) {
      self.type = type
      self.fsyncNanoseconds = fsyncNanoseconds
      isTmpfs = ["tmpfs", "ramfs"].contains(type)
    }

    private enum CodingKeys: String, CodingKey {
      case type
      case fsyncNanoseconds = "fsync_ns"
      case isTmpfs = "is_tmpfs"
    }
  }

  /// The lateness with which frames start while no other work is done, which is the floor under every lateness.
  package struct IdleTicks: Hashable, Sendable, Codable {
    package static let limitNanoseconds: Int64 = 1_000_000

    package var latenessNanosecondsP50: Int64
    package var latenessNanosecondsP99: Int64
    /// True if the host is too busy or too slow for the measurements.
    package var isOverLimit: Bool

    package init(latenessNanosecondsP50: Int64, latenessNanosecondsP99: Int64) {
      self.latenessNanosecondsP50 = latenessNanosecondsP50
      self.latenessNanosecondsP99 = latenessNanosecondsP99
      isOverLimit = latenessNanosecondsP99 > Self.limitNanoseconds
    }

    private enum CodingKeys: String, CodingKey {
      case latenessNanosecondsP50 = "lateness_ns_p50"
      case latenessNanosecondsP99 = "lateness_ns_p99"
      case isOverLimit = "is_over_1_ms"
    }
  }

  /// The disturbances of a trial: the times for which its threads were runnable but not running, and the computer's
  /// speed.
  package struct Noise: Hashable, Sendable, Codable {
    package var topology: String
    @ExplicitNull package var variant: String?
    package var trial: Int
    @ExplicitNull package var tickerRunQueueWaitNanoseconds: Int64?
    @ExplicitNull package var mainRunQueueWaitNanoseconds: Int64?
    // These members are absent for a simulated trial, and in the manifests of earlier versions.
    package var yardstickBeforeNanoseconds: Int64?
    package var yardstickAfterNanoseconds: Int64?
    package var stealNanoseconds: Int64?
    /// The number of times that the trial was repeated; absent if it was not repeated.
    package var repeatCount: Int?
    /// The number of SQL statements that the main thread ran; absent for a simulated trial, which has it elsewhere.
    package var mainStatementsCount: Int64?

    package init(topology: String, variant: String?, trial: Int, tickerNanoseconds: Int64?, mainNanoseconds: Int64?) {
      self.topology = topology
      self.variant = variant
      self.trial = trial
      tickerRunQueueWaitNanoseconds = tickerNanoseconds
      mainRunQueueWaitNanoseconds = mainNanoseconds
    }

    private enum CodingKeys: String, CodingKey {
      case topology
      case variant
      case trial
      case tickerRunQueueWaitNanoseconds = "ticker_run_queue_wait_ns"
      case mainRunQueueWaitNanoseconds = "main_run_queue_wait_ns"
      case yardstickBeforeNanoseconds = "yardstick_before_ns"
      case yardstickAfterNanoseconds = "yardstick_after_ns"
      case stealNanoseconds = "steal_ns"
      case repeatCount = "repeats_count"
      case mainStatementsCount = "main_statements_count"
    }

    /// The yardsticks before and after the trial, or nil if they were not measured.
    package var yardstick: YardstickPair? {
      guard let before = yardstickBeforeNanoseconds, let after = yardstickAfterNanoseconds else { return nil }
      return YardstickPair(beforeNanoseconds: before, afterNanoseconds: after)
    }
  }

  /// The number of trials that was chosen for the speed of the computer.
  package struct TrialChoice: Hashable, Sendable, Codable {
    /// The number of trials of each stack.
    package var trials: Int
    /// The number on a fast computer.
    package var most: Int
    /// The duration of the yardstick's work, which shows the speed.
    package var yardstickNanoseconds: Int64

    package init(trials: Int, most: Int, yardstickNanoseconds: Int64) {
      self.trials = trials
      self.most = most
      self.yardstickNanoseconds = yardstickNanoseconds
    }

    private enum CodingKeys: String, CodingKey {
      case trials
      case most
      case yardstickNanoseconds = "yardstick_ns"
    }
  }

  /// The version of the form in which this program writes results: the columns of the tables and the members of the
  /// manifest.
  ///
  /// Version 2 added `schema` itself and the costs that the profile charged to each trial.
  package static let currentSchema = 2

  private var schema: Int?
  package var versions: Versions
  /// `debug` or `release`.
  package var configuration: String
  package var host: Host
  package var fileSystem: FileSystem
  @ExplicitNull package var idleTicks: IdleTicks?
  /// The values that the options of the run had, by name.
  package var flags: [String: String]
  /// The stacks of the run that the user has described; absent if there are none.
  package var ownTopologies: [OwnTopology]?
  /// The name of the stack with which the others are compared; absent if there is none.
  package var reference: String?
  /// The map of the feed, which is complete, so that a run can be repeated without its file; absent if there is none.
  package var map: JSONValue?
  /// The numbers of the workload's records; absent in the manifests of earlier versions and if the app was killed.
  package var counts: WorkloadCounts?
  /// Sentences about the workload, such as those about members without a property; absent if there are none.
  package var remarks: [String]?
  package var seed: UInt64
  package var machine: String
  // The members from here to `simulatedTrials` describe a simulated run. A live run has a `profile` of `null` and lacks
  // the others.
  @ExplicitNull package var profile: String?
  package var profileVersion: Int?
  /// A fingerprint of the schedules, the work and the stores of all trials.
  package var fingerprint: String?
  /// The command that repeats the simulation.
  package var replay: String?
  /// The origin of the heap's figures: `modelled`.
  package var heap: String?
  package var simulatedTrials: [SimulatedTrial]?
  /// The number of trials and the speed for which it was chosen; absent if the user set the number.
  package var trialChoice: TrialChoice?
  package var startedAt: Date
  package var endedAt: Date
  package var noise: [Noise]

  package init(
    versions: Versions, configuration: String, host: Host, fileSystem: FileSystem, idleTicks: IdleTicks?,
    flags: [String: String], seed: UInt64, machine: String, simulation: Simulation? = nil, startedAt: Date,
    endedAt: Date, noise: [Noise] = []
  ) {
    schema = Self.currentSchema
    self.versions = versions
    self.configuration = configuration
    self.host = host
    self.fileSystem = fileSystem
    self.flags = flags
    self.seed = seed
    self.machine = machine
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.noise = noise
    self.idleTicks = idleTicks
    profile = simulation?.profile
    profileVersion = simulation?.profileVersion
    fingerprint = simulation?.fingerprint
    replay = simulation?.replay
    heap = simulation.map { _ in "modelled" }
    simulatedTrials = simulation?.trials
  }

  /// The change of the computer's speed over the trials, or nil if it was not measured.
  package var drift: YardstickDrift? {
    YardstickDrift(of: noise.compactMap(\.yardstick), repeatedTrialCount: noise.count { ($0.repeatCount ?? 0) > 0 })
  }

  /// The settings that pages and tables read from a manifest.
  package enum SettingName: String, CaseIterable, Sendable {
    case topology
    case trials
    case draws
    case existingRows = "existing-rows"
    case list
    case listCells = "list-cells"
    case listPrefetch = "list-prefetch"
    case listSort = "list-sort"
    case listWhere = "list-where"
    case map
    case model
    case openScreens = "open-screens"
    case poolSize = "pool-size"
    case scrollSpeed = "scroll-speed"
    case viewControllers = "view-controllers"
  }

  /// The titles of the stacks, in the order of the run.
  package var stackTitles: [String] {
    flags[SettingName.topology.rawValue]?.split(separator: " ").map(String.init) ?? []
  }

  /// True if the program that measured was not optimised. A simulated result is the same in every build.
  var isMeasuredUnoptimised: Bool { machine == "live" && configuration != "release" }

  /// True if the measured stores lay in memory. A simulated result is the same on every file system.
  var isMeasuredInMemory: Bool { machine == "live" && fileSystem.isTmpfs }

  /// Returns the number that a setting had, or nil if it had no number or one that is out of range.
  package func count(of name: SettingName) -> Int? {
    flags[name.rawValue].flatMap { text in
      FigureRange.flaw(of: text, named: name.rawValue) == nil ? Int(text) : nil
    }
  }

  /// The version of the form in which the results were written.
  package var schemaVersion: Int { schema ?? 1 }

  private enum CodingKeys: String, CodingKey {
    case schema
    case versions
    case configuration
    case host
    case fileSystem = "file_system"
    case idleTicks = "idle_ticks"
    case flags
    case ownTopologies = "own_topologies"
    case reference
    case map
    case counts
    case remarks
    case seed
    case machine
    case profile
    case profileVersion = "profile_version"
    case fingerprint
    case replay
    case heap
    case simulatedTrials = "simulated_trials"
    case trialChoice = "trial_choice"
    case startedAt = "started_at"
    case endedAt = "ended_at"
    case noise
  }
}

// MARK: - JSON

extension Manifest {
  package static let fileName = "manifest.json"

  /// Returns readable JSON with sorted keys, times in ISO 8601 and a line break at the end.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// The part of a manifest that every version reads.
  private struct Form: Decodable {
    struct Versions: Decodable {
      var tool: String?
    }

    var schema: Int?
    var versions: Versions?
  }

  /// Reads a manifest.
  ///
  /// - Throws: `FileError` with code `malformed`, or `newerSchema` for a manifest that a later version wrote.
  package init(json: Data, path: String) throws(FileError) {
    let decoder = JSONDecoder()
    if let form = try? decoder.decode(Form.self, from: json), let schema = form.schema, schema > Self.currentSchema {
      let writer = form.versions?.tool.map { "stackbench \($0)" } ?? "a later version"
      throw FileError(
        .newerSchema, path: path,
        message: "schema \(schema), written by \(writer); this version reads schema \(Self.currentSchema)")
    }
    decoder.dateDecodingStrategy = .iso8601
    self = try StoredJSON.decode(
      Manifest.self, from: json, path: path, expected: "a manifest of this tool", decoder: decoder)
  }
}

/// An optional value that is written as `null` if it is absent, rather than left out.
@propertyWrapper
package struct ExplicitNull<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
  package var wrappedValue: Value?

  package init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}
