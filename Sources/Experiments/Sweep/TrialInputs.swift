import Foundation
import MachineSimulated
import Verification
import Workloads

/// What a trial reads besides its flags, so that a result of a feed or a profile that has changed since never passes for
/// one of what is there now.
struct TrialInputs: Codable, Hashable, Sendable {
  /// SHA-256 over the feed, 64 lower-case hexadecimal digits; nil for a generated workload, or a feed that cannot be read.
  var feed: String?
  /// The same over the profile with all that it takes over from others, as JSON; nil on the live machine.
  var profile: String?

  /// Which of the two is another one in `other`, as messages name it; nil if neither.
  func difference(from other: TrialInputs) -> String? {
    if feed != other.feed { return "the feed" }
    return profile == other.profile ? nil : "the profile"
  }
}

// MARK: - Reading

extension TrialInputs {
  /// Reads the inputs of many trials, a feed and a profile once.
  struct Reader {
    private var feeds: [String: String?] = [:]
    private var profiles: [Profile: String] = [:]

    mutating func inputs(of experiment: Experiment) -> TrialInputs {
      var inputs = TrialInputs(feed: feed(of: experiment.workload.workload))
      if let simulation = experiment.simulation { inputs.profile = digest(of: simulation.profile) }
      return inputs
    }

    private mutating func feed(of workload: Workload) -> String? {
      guard case .feed(let path) = workload else { return nil }
      if let known = feeds[path] { return known }
      // One that is missing is named when its trial runs.
      let digest = FileManager.default.contents(atPath: path).map { SHA256Hash.hexadecimal(of: $0) }
      feeds[path] = digest
      return digest
    }

    private mutating func digest(of profile: Profile) -> String {
      if let known = profiles[profile] { return known }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      // Finite numbers and strings only: nothing that cannot be encoded.
      guard let data = try? encoder.encode(profile) else { fatalError("a profile cannot be encoded") }
      let digest = SHA256Hash.hexadecimal(of: data)
      profiles[profile] = digest
      return digest
    }
  }
}
