extension ClaimCatalogue {
  /// Returns the catalogue with the simulated experiments on one device, and without the claims that need others: those
  /// whose figures are not simulated, and those that compare devices.
  package func simulated(on profile: String) -> ClaimCatalogue {
    var catalogue = self
    catalogue.experiments = experiments.compactMap { $0.simulated(on: profile) }
    catalogue.claims = claims.filter { claim in
      guard let test = claim.test, catalogue.experiment(of: test) != nil else { return false }
      let name = ClaimExperiment.profileSetting
      return test.figure.along != name && !test.figure.operands.contains { $0.at.contains { $0.name == name } }
    }
    return catalogue
  }
}
