import CResources
import InputFiles
import OutputFiles
import Reporting
import TrialProcesses

/// The claims that ship with the program, and those that users write.
package enum ClaimLibrary {
  /// The largest size of a user's file, in bytes. The largest shipped one has a sixtieth of it.
  private static let largestSize = 1_048_576

  /// Returns the shipped claims.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  package static func catalogue() throws(YAMLError) -> ClaimCatalogue {
    let experiments = try ExperimentsReader(place: "experiments.yaml").experiments(
      from: String(cString: resource("experiments.yaml")))
    let reader = ArticleReader(experiments: experiments)
    var catalogue = ClaimCatalogue(articles: [], experiments: experiments, claims: [])
    for key in articleNames {
      let place = "\(key).yaml"
      let own = try reader.catalogue(from: String(cString: resource(place)), place: place)
      catalogue.articles += own.articles
      for claim in own.claims {
        guard catalogue.claim(named: claim.id) == nil else {
          throw YAMLError(.invalidValue, "\(claim.id) is in two articles; use another id", place: place)
        }
        catalogue.claims.append(claim)
      }
    }
    return catalogue
  }

  /// The articles, the oldest first and those without a year last.
  private static let articleNames = [
    "in-defense", "threading-demystified", "six-stacks", "dance-with-threads", "hudl-technique",
  ]

  /// Returns the figures that ship with the program, which decide the shipped claims.
  ///
  /// - Throws: `RunFailure` if the figures are damaged.
  package static func figures() throws(RunFailure) -> FigureTable {
    try UserInput.read { () throws(FileError) in
      try FigureTable(
        CSV(parsing: String(cString: resource(FigureTable.fileName)), path: FigureTable.fileName),
        path: FigureTable.fileName)
    }
  }
}

// MARK: - Claims of users

extension ClaimLibrary {
  /// Returns true if a text has the form of a path and not of a claim's id.
  package static func isPath(_ text: String) -> Bool { ProfileLibrary.isPath(text) }

  /// Returns the claims in a file, with the experiments of the file and of another catalogue.
  ///
  /// - Throws: `YAMLError` that names the file, and the line and the key if they are known.
  package static func catalogue(
    at path: String, with shipped: ClaimCatalogue
  ) throws(YAMLError) -> ClaimCatalogue {
    let text = try YAMLFile.text(at: path, largestSize: largestSize, of: "claims")
    return try ArticleReader(experiments: shipped.experiments).catalogue(from: text, place: path)
  }
}
