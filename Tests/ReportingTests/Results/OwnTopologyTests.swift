import Foundation
import Testing

@testable import Reporting

/// Stacks of the user in manifests, commands and comparisons.
@Suite struct OwnTopologyTests {
  private static let line = #"{"id": "mine", "contexts": [{"name": "main", "isFast": true}], "summary": "a -- b"}"#

  private static func own(_ line: String) throws -> OwnTopology { try #require(OwnTopology(line: line)) }

  private static func manifest(_ own: [OwnTopology]?, stacks: String = "all-main mine") -> Manifest {
    var manifest = MadeUpResults.manifest
    manifest.flags["topology"] = stacks
    manifest.ownTopologies = own
    return manifest
  }

  @Test func `a manifest keeps the whole description`() throws {
    let manifest = Self.manifest([try Self.own(Self.line)])
    let again = try Manifest(json: manifest.json(), path: "manifest.json")
    #expect(again == manifest)
    #expect(again.ownTopologies?.first?.title == "mine")
    #expect(again.stackTitles == ["all-main", "mine"])
    #expect(try !String(decoding: MadeUpResults.manifest.json(), as: UTF8.self).contains("own_topologies"))
  }

  @Test func `the line of a description has no two hyphens in a row and reads back`() throws {
    let own = try Self.own(Self.line)
    #expect(own.line == #"{"contexts":[{"isFast":true,"name":"main"}],"id":"mine","summary":"a -\u002d b"}"#)
    #expect(try Self.own(own.line) == own)
    #expect(OwnTopology(line: "{") == nil)
  }

  @Test func `a repeated command has the description in place of the name`() throws {
    let roles = MadeUpResults.roles
    let command = PrintedCommand(
      repeating: ["topology": "all-main mine"], roles, ownTopologies: [try Self.own(#"{"id": "mine"}"#)])
    #expect(command.parts.dropFirst().map { $0.split(separator: " ").last ?? "" } == ["all-main", #"'{"id":"mine"}'"#])
  }

  @Test(arguments: [
    (#"{"id": "mine", "contexts": [{"name": "root"}]}"#, "contexts[0].name: main, then root"),
    (#"{"id": "mine", "contexts": [{"name": "main"}, {"name": "b"}]}"#, #"contexts[1]: not given, then {"name":"b"}"#),
    (#"{"id": "mine", "contexts": [{"name": "main"}], "decode": "import"}"#, "decode: not given, then import"),
    (#"{"id": "mine", "contexts": [{"name": "main", "a": false}]}"#, "contexts[0].a: not given, then false"),
    (#"{"id": "mine", "contexts": "main"}"#, #"contexts: [{"name":"main"}], then main"#),
  ])
  func `two stacks of one name differ in their first different member`(other: String, text: String) throws {
    let first = Self.manifest([try Self.own(#"{"id": "mine", "contexts": [{"name": "main"}]}"#)])
    let second = Self.manifest([try Self.own(other)], stacks: "mine")
    let differences = ManifestDifference.between(first, and: second, roles: MadeUpResults.roles)
    #expect(differences.map(\.description).contains("the stack mine, \(text)"))
    #expect(differences.filter { $0.title.hasPrefix("the stack") }.map(\.kind) == [.setting(.wiring)])
  }

  @Test func `a stack from a file differs from the program's own of that name`() throws {
    let roles = MadeUpResults.roles
    let own = [try Self.own(Self.line)]
    let differences = ManifestDifference.between(Self.manifest(nil), and: Self.manifest(own), roles: roles)
    #expect(differences.map(\.description) == ["the stack mine: one of Stackbench's own, then from a file"])
    #expect(ManifestDifference.between(Self.manifest(own), and: Self.manifest(own), roles: roles).isEmpty)
    #expect(
      ManifestDifference.between(Self.manifest(own), and: Self.manifest(nil, stacks: "all-main"), roles: roles)
        .allSatisfy { !$0.title.hasPrefix("the stack") })
  }

  @Test func `any JSON value round-trips`() throws {
    let text = #"[null,true,1,2.5,"a/b",{"a":[],"b":{}}]"#
    #expect(JSONValue(text: text)?.line == text)
    #expect(JSONValue(text: "[") == nil)
  }
}
