import CResources
import YAMLReading

/// The claims that ship with the program.
package enum ClaimLibrary {
  /// Returns the shipped claims.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  package static func catalogue() throws(YAMLError) -> ClaimCatalogue {
    let experiments = try ExperimentsReader(place: "experiments.yaml").experiments(
      from: String(cString: resource("experiments.yaml")))
    let reader = ArticleReader(experiments: experiments)
    var catalogue = ClaimCatalogue(articles: [], experiments: experiments, claims: [])
    for key in articleNames {
      let (article, claims) = try reader.article(from: String(cString: resource("\(key).yaml")), key: key)
      catalogue.articles.append(article)
      for claim in claims {
        guard catalogue.claim(named: claim.id) == nil else {
          throw YAMLError(.invalidValue, "\(claim.id) is in two articles; use another id", place: "\(key).yaml")
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
}
