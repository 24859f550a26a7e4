import Foundation
import Testing

@testable import Reporting

@Suite struct ResultsDifferenceTests {
  private func difference(_ first: String, _ second: String, in fileName: String = "frames.csv") throws -> String {
    "\(try ResultsDifference.between(Data(first.utf8), and: Data(second.utf8), fileName: fileName))"
  }

  @Test func `the first cell that differs is named by line and column`() throws {
    #expect(
      try difference("a,b\r\n1,2\r\n3,4\r\n5,6\r\n", "a,b\r\n1,2\r\n3,9\r\n7,6\r\n")
        == "frames.csv, line 3, column b: 4, then 9")
    #expect(try difference("a,b\r\n1,\r\n", "a,b\r\n1,2\r\n") == "frames.csv, line 2, column b: nothing, then 2")
  }

  @Test func `a row more is named by its line`() throws {
    #expect(try difference("a\r\n1\r\n", "a\r\n1\r\n2\r\n") == "frames.csv, line 3: 1 rows, then 2")
    #expect(try difference("a\r\n1\r\n2\r\n", "a\r\n1\r\n") == "frames.csv, line 3: 2 rows, then 1")
  }

  @Test func `another header is a difference in line 1`() throws {
    #expect(try difference("a,b\r\n1,2\r\n", "a,c\r\n1,2\r\n") == "frames.csv, line 1, column b: b, then c")
    #expect(try difference("a\r\n1\r\n", "a,b\r\n1,2\r\n") == "frames.csv, line 1: 1 fields, then 2")
  }

  @Test func `a difference that no cell shows is named by its byte, as in any other file`() throws {
    #expect(try difference("a\r\n1\r\n", "a\n1\n") == "frames.csv, line 1, byte 1: byte 13, then byte 10")
    #expect(
      try difference("{\n \"a\": 1}", "{\n \"a\": 2}", in: "trace.json")
        == "trace.json, line 2, byte 8: byte 49, then byte 50")
    #expect(try difference("{}", "{} ", in: "trace.json") == "trace.json, line 1, byte 2: the end, then byte 32")
  }

  @Test func `the fingerprint of a trial is compared where all tables agree`() {
    func manifest(_ fingerprints: [String]) -> Manifest {
      var manifest = MadeUpResults.manifest
      manifest.simulatedTrials = fingerprints.map { fingerprint in
        Manifest.SimulatedTrial(
          identity: MadeUpResults.identity("worker-merge", "reset", trial: 2),
          figures: .init(
            fingerprint: fingerprint, handOffsCount: 0, eventsCount: 0, virtualNanoseconds: 0, wallNanoseconds: 0))
      }
      return manifest
    }
    #expect(ResultsDifference.between(manifest(["a", "b"]), and: manifest(["a", "b"])) == nil)
    #expect(
      ResultsDifference.between(manifest(["a", "b"]), and: manifest(["a", "c"]))?.description
        == "manifest.json, fingerprint of worker-merge/reset, trial 2: b, then c")
    #expect(
      ResultsDifference.between(manifest(["a"]), and: manifest([]))?.description
        == "manifest.json, simulated_trials: 1 trials, then 0")
  }
}
