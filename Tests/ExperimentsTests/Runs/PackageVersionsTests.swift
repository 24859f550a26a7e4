import TestSupport
import Testing

@testable import Experiments

@Suite struct PackageVersionsTests {
  @Test func `PackageVersions has the versions of Package.swift`() throws {
    let declarations = try Repository.text("Package.swift").matches(
      of: /\.package\(url: "[^"]*\/([^"\/]+)", exact: "([^"]+)"\)/)
    let declared = declarations.map { (String($0.output.1), String($0.output.2)) }
    #expect(!declared.isEmpty)
    #expect(PackageVersions.packages == Dictionary(uniqueKeysWithValues: declared))
  }

  @Test func `every package is pinned to an exact version`() throws {
    let text = try Repository.text("Package.swift")
    #expect(text.matches(of: /\.package\(/).count == PackageVersions.packages.count)
  }
}
