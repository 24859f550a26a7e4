import Foundation
import OutputFiles
import Reporting
import TrialProcesses

/// The file in which `make peers` writes the times of the engine and of its peers.
package struct PeersFile: Hashable, Sendable {
  package static let standardPath = "Results/peers/peers.csv"

  /// The command that writes the file.
  static let command = "make peers"

  /// The column that names the case, such as `insert`.
  static let caseColumn = "case"
  private static let subjectColumn = "subject"

  private let path: String

  package init(path: String) { self.path = path }

  /// Returns the figures of an experiment with peers.
  ///
  /// - Parameters:
  ///   - experiment: The experiment.
  ///   - columns: The names of the columns.
  /// - Returns: A row for each case and peer, in this order.
  /// - Throws: `RunFailure` with status 64 if the file is missing, damaged, or lacks a case of a peer.
  func rows(of experiment: ClaimExperiment, _ columns: [String]) throws -> [FigureRow] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw RunFailure.usage("\(path): cannot be read; make it with '\(Self.command)'")
    }
    let table = try UserInput.read { () throws(FileError) in
      try CSV(parsing: String(decoding: data, as: UTF8.self), path: path)
    }
    return try experiment.points().flatMap { point in
      try experiment.stacks.map { peer in
        let values = try columns.map { column in
          (column, try value(column, of: peer, in: point.values.first?.value ?? "", table: table))
        }
        return FigureRow(
          key: FigureRow.Key(
            experiment: experiment.id, point: point.text, stack: peer, trial: experiment.deciding.first ?? ""),
          values: Dictionary(uniqueKeysWithValues: values))
      }
    }
  }

  private func value(_ column: String, of peer: String, in name: String, table: CSV) throws -> Int64 {
    let places = [Self.caseColumn, Self.subjectColumn, column].map { table.header.firstIndex(of: $0) }
    guard let casePlace = places[0], let peerPlace = places[1], let place = places[2] else {
      throw RunFailure.usage("\(path):1: has no column \(column); make it again with '\(Self.command)'")
    }
    let record = table.records.first { $0[casePlace] == name && $0[peerPlace] == peer }
    guard let record, let value = Int64(record[place]) else {
      throw RunFailure.usage(
        "\(path): has no \(column) of \(peer) for the case \(name); make it again with "
          + "'\(Self.command)'")
    }
    return value
  }
}
