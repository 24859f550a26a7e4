import Foundation
import InputFiles
import MachineSimulated
import Workloads

/// The digests of the feed, the model, the store, the map and the profile that a trial reads. They show whether these
/// have changed since the trial was planned, so that an outdated result is not taken for a current one.
struct TrialInputs: Codable, Hashable, Sendable {
  /// The SHA-256 digest of the feed as 64 lower-case hexadecimal digits, or nil for a generated workload or a feed that
  /// cannot be read.
  var feed: String?
  /// The SHA-256 digest of the profile as JSON, including all that it takes over from other profiles, or nil on the
  /// live machine.
  var profile: String?
  /// The SHA-256 digest of the model as JSON, or nil for a workload with a model of its own.
  var model: String?
  /// The SHA-256 digest of the map in one line, or nil for a workload without a map.
  var map: String?

  /// The SHA-256 digest of the store's database and of its write-ahead log, or nil for a workload without a store or a
  /// store that cannot be read.
  var store: String?

  /// Returns the words for the input that differs from `other`, the feed first, or nil if both are the same.
  func difference(from other: TrialInputs) -> String? {
    if feed != other.feed { return "the feed" }
    if model != other.model { return "the model" }
    if store != other.store { return "the store" }
    if map != other.map { return "the map" }
    return profile == other.profile ? nil : "the profile"
  }
}

// MARK: - Reading

extension TrialInputs {
  /// Computes the digests for many trials and reads each feed and each profile only once.
  struct Reader {
    private var feeds: [String: String?] = [:]
    private var profiles: [Profile: String] = [:]
    private var models: [String: String?] = [:]
    private var stores: [String: String?] = [:]

    mutating func inputs(of experiment: Experiment) -> TrialInputs {
      var inputs = TrialInputs(feed: feed(of: experiment.workload.workload))
      if let model = experiment.workload.model { inputs.model = digest(ofModel: model, experiment.workload) }
      if let store = experiment.workload.store { inputs.store = digest(ofStore: store) }
      inputs.map = experiment.workload.map.map { SHA256Hash.hexadecimal(of: Data(FeedMapFile.line(of: $0).utf8)) }
      if let simulation = experiment.simulation { inputs.profile = digest(of: simulation.profile) }
      return inputs
    }

    private mutating func feed(of workload: Workload) -> String? {
      guard case .feed(let path) = workload else { return nil }
      if let known = feeds[path] { return known }
      // A missing feed is reported when its trial runs.
      let digest = FileManager.default.contents(atPath: path).map { SHA256Hash.hexadecimal(of: $0) }
      feeds[path] = digest
      return digest
    }

    /// Returns the digest of the version of a model that a workload uses, or nil if it cannot be read.
    private mutating func digest(ofModel path: String, _ workload: WorkloadOptions) -> String? {
      let name = path + "\u{0}" + (workload.modelVersion ?? "")
      if let known = models[name] { return known }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let document = try? workload.modelDocument()
      let digest = document.flatMap { try? encoder.encode($0) }.map { SHA256Hash.hexadecimal(of: $0) }
      models[name] = digest
      return digest
    }

    /// Returns the digest of a store, or nil if it cannot be read. A missing store is reported when its trial runs.
    private mutating func digest(ofStore path: String) -> String? {
      if let known = stores[path] { return known }
      let files = [path, path + "-wal"].map { FileManager.default.contents(atPath: $0) }
      let digest = files[0] == nil ? nil : SHA256Hash.hexadecimal(of: files.compactMap(\.self).reduce(Data(), +))
      stores[path] = digest
      return digest
    }

    private mutating func digest(of profile: Profile) -> String {
      if let known = profiles[profile] { return known }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      // All values are finite numbers and strings, which can always be encoded.
      guard let data = try? encoder.encode(profile) else { fatalError("a profile cannot be encoded") }
      let digest = SHA256Hash.hexadecimal(of: data)
      profiles[profile] = digest
      return digest
    }
  }
}
