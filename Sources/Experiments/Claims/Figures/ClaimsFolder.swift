import Foundation
import OutputFiles
import Reporting
import TrialProcesses

/// The folder of the committed figures, and the page beside it that is rendered from them.
///
/// `Results/claims` has `figures.csv`, a manifest for the simulated figures and one for the live ones.
/// `Results/claims.md` is the page.
package struct ClaimsFolder: Hashable, Sendable {
  package static let standardPath = "Results/claims"

  package let path: String

  package init(path: String) { self.path = path }

  /// The path of the page.
  package var pagePath: String { "\(path).md" }

  private var figuresPath: String { "\(path)/\(FigureTable.fileName)" }

  /// Returns the name of the manifest of the figures of a machine.
  private static func manifestName(of machine: MachineKind) -> String {
    machine == .simulated ? Manifest.fileName : "manifest-live.json"
  }

  // MARK: Reading

  /// Returns the committed figures.
  ///
  /// - Throws: `RunFailure` with status 64 if the file is missing or damaged.
  package func figures() throws -> FigureTable {
    guard let data = FileManager.default.contents(atPath: figuresPath) else {
      throw RunFailure.usage(
        "\(figuresPath): cannot be read; use the folder of committed figures, or make them with stackbench claims "
          + "--renew all")
    }
    return try UserInput.read { () throws(FileError) in
      try FigureTable(CSV(parsing: String(decoding: data, as: UTF8.self), path: figuresPath), path: figuresPath)
    }
  }

  /// Returns the text of the committed page, or nil if it is missing.
  package func page() -> String? {
    FileManager.default.contents(atPath: pagePath).map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Writing

  /// Writes the figures, and the manifest of each machine whose figures are new. The flags of a manifest are the commands
  /// of its experiments. A manifest keeps the commands of experiments that were not renewed.
  ///
  /// - Throws: `RunFailure` if a file cannot be written.
  package func write(_ outcome: ClaimsRenewal.Outcome, of catalogue: ClaimCatalogue) throws {
    let ids = Set(catalogue.experiments.map(\.id))
    do {
      try AtomicFile.write(Data(outcome.figures.csv.text.utf8), to: figuresPath)
      for machine in MachineKind.allCases {
        guard let commands = outcome.commands[machine] else { continue }
        let file = "\(path)/\(Self.manifestName(of: machine))"
        let known = FileManager.default.contents(atPath: file).flatMap { try? Manifest(json: $0, path: file) }
        guard var manifest = outcome.manifests[machine] ?? known else { continue }
        manifest.flags = (known?.flags ?? [:]).merging(commands) { _, new in new }.filter { ids.contains($0.key) }
        try AtomicFile.write(manifest.json(), to: file)
      }
    } catch {
      throw RunFailure.unexpected(error, "the figures cannot be written: ", in: path)
    }
  }

  /// Writes the page.
  ///
  /// - Throws: `RunFailure` if the file cannot be written.
  package func write(page text: String) throws {
    do {
      try AtomicFile.write(Data(text.utf8), to: pagePath)
    } catch {
      throw RunFailure.unexpected(error, "the page cannot be written: ", in: pagePath)
    }
  }
}
