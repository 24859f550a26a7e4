import YAMLReading

/// The claims that ship with the program.
package enum ClaimLibrary {
  /// Returns the shipped claims.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  package static func catalogue() throws(YAMLError) -> ClaimCatalogue {
    let experiments = try ExperimentsReader(place: "experiments.yaml").experiments(from: text(experimentsText))
    let reader = ArticleReader(experiments: experiments)
    var catalogue = ClaimCatalogue(articles: [], experiments: experiments, claims: [])
    for (key, bytes) in articleTexts {
      let (article, claims) = try reader.article(from: text(bytes), key: key)
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

  private static let experimentsText = PackageResources.experiments_yaml

  /// The articles, the oldest first and those without a year last.
  private static let articleTexts: [(key: String, text: [UInt8])] = [
    ("in-defense", PackageResources.in_defense_yaml),
    ("threading-demystified", PackageResources.threading_demystified_yaml),
    ("six-stacks", PackageResources.six_stacks_yaml),
    ("dance-with-threads", PackageResources.dance_with_threads_yaml),
    ("hudl-technique", PackageResources.hudl_technique_yaml),
  ]

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
