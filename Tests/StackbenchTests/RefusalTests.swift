import ArgumentParser
import CommandShell
import Foundation
import InputFiles
import MachineSimulated
import Reporting
import TestSupport
import Testing
import Topologies
import TrialProcesses
import Workloads

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests the messages that refuse damaged files of users: their file, line and key stay as reviewed.
///
/// Each line of a valid file is damaged in each of five ways, one at a time.
@Suite struct RefusalTests {
  /// A format of files that users write.
  enum Format: String, CaseIterable {
    case profile, topology, table, claims, constraints, gate, map, settings

    /// The text of a valid file.
    func text() throws -> String {
      switch self {
      case .profile: return try Repository.text("Sources/InputFiles/Profiles/Shipped/iphone-6s.yaml")
      case .topology:
        var topology = Topology.reversedParent(.restkit)
        topology.id = "mine"
        return TopologyWriter(topology).text(for: "tests")
      case .table: return try Repository.text("Sources/Validation/Published/Tables/iphone-5-fetches.yaml")
      case .claims: return try Repository.text("docs/own-claims.yaml")
      case .constraints:
        let lines = ConstraintLibrary.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.prefix(37).joined(separator: "\n")
      case .gate:
        return """
          tolerances:
            default: 1
            import_ns: {percent: 2.5, floor: 1000}
          draws: 2
          runs:
            saves: --rows 24 --existing-rows 12
            stacks:
              settings: {rows: 24, topology: [all-main, worker-merge/automatic]}
              tolerances: {default: 2}

          """
      case .map: return FuzzCorpus.map
      case .settings:
        return """
          workload: catalog
          topology: [three-tier, worker-merge]
          rows: 5000
          save-every: 100
          machine: simulated
          profile: iphone-6s

          """
      }
    }

    /// Reads a file as commands do.
    func read(_ text: String, at path: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      switch self {
      case .profile: _ = try ProfilesCommand.parse([path]).text()
      case .topology: _ = try TopologiesCommand.parse([path]).printedText()
      case .table: _ = try PublishedLibrary.table(named: path)
      case .claims:
        let shipped = try ClaimLibrary.catalogue()
        _ = try UserInput.read { () throws(YAMLError) in try ClaimLibrary.catalogue(at: path, with: shipped) }
      case .constraints:
        _ = try UserInput.read { () throws(YAMLError) in
          try ProfileConstraintReader(place: path, profiles: ProfileLibrary.shippedNames).constraints(from: text)
        }
      case .gate:
        _ = try GatePlan(of: URL(fileURLWithPath: path).deletingLastPathComponent().path)
      case .map: _ = try FeedMapFile.map(path)
      case .settings: _ = try UserInput.read { () throws(YAMLError) in try SettingsFile(text: text, place: path) }
      }
    }

    /// The name of the file, which the gate's reader prescribes.
    var fileName: String { self == .gate ? GatePlan.fileName : "\(rawValue).yaml" }
  }

  /// Returns a line with each damage, by the name of the damage; nil leaves the line out.
  private static func damages(of line: String) -> [(name: String, text: String?)] {
    guard let match = line.wholeMatch(of: #/(\s*(?:- )?)([^\s:#]+):( .*)?/#) else {
      return [("without", nil), ("twice", "\(line)\n\(line)")]
    }
    let (indent, key) = (match.1, match.2)
    return [
      ("without", nil), ("twice", "\(line)\n\(line)"), ("other key", "\(indent)\(key)x:\(match.3 ?? "")"),
      ("other value", "\(indent)\(key): wrong"), ("list", "\(indent)\(key): [1, [2]]"),
    ]
  }

  /// A list of more than ten names. A new stack, measure or device would otherwise change the reviewed texts.
  private static var longList: Regex<Substring> { #/(?:[^\s,;]+, ){10,}[^\s,;]+/# }

  /// Returns a line for each damage of a file: the number of the damaged line, the damage, and the message or `read`.
  private static func messages(of format: Format, in folder: String) throws -> String {
    let path = "\(folder)/\(format.fileName)"
    let text = try format.text()
    try format.read(text, at: path)
    let lines = text.components(separatedBy: "\n")
    var found: [String] = []
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") {
      for damage in damages(of: line) {
        var damaged = lines
        damaged[index...index] = damage.text.map { [$0] } ?? []
        let message: String
        do {
          try format.read(damaged.joined(separator: "\n"), at: path)
          message = "read"
        } catch {
          message = (error as? RunFailure).map { "\($0.status.rawValue): \($0.message)" } ?? "\(error)"
        }
        let shown = message.replacing("\(folder)/", with: "").replacing(longList) { match in
          "\(match.output.split(separator: ",").count) names"
        }
        found.append("\(index + 1) \(damage.name): \(shown)")
      }
    }
    return found.joined(separator: "\n")
  }

  @Test(arguments: Format.allCases)
  func `the messages for damaged files are as reviewed`(format: Format) throws {
    let folder = try TemporaryFolder()
    try Snapshot.check(try Self.messages(of: format, in: folder.path), "refusals-\(format.rawValue)")
  }
}
