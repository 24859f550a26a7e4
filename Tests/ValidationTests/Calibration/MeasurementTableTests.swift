import MachineCore
import Metrics
import Testing
import TrialProcesses

@testable import Experiments
@testable import Validation

struct MeasurementTableTests {
  private func table(_ text: String) throws(RunFailure) -> [WorkMeasurement] {
    try MeasurementTable(parsing: text, path: "phone.csv").measurements
  }

  @Test func `a table of measurements round-trips through its text`() throws {
    var first = WorkMeasurement(scenario: "insert, flat", size: 250, cpu: .microseconds(600), storage: .milliseconds(4))
    first[count: .rowWritten] = 250
    first[bytes: .rowWritten] = 9_000
    first[count: .sync] = 1
    var second = WorkMeasurement(scenario: "perform", size: 1_000, cpu: .microseconds(300), storage: .zero)
    second[count: .perform] = 1_000
    let text = MeasurementTable([first, second]).text
    #expect(text.hasPrefix("scenario,size,cpu_ns,storage_ns,perform,rowWritten,sync,rowWritten_bytes\r\n"))
    #expect(try table(text) == [first, second])
  }

  @Test func `columns can have any order, and optional ones can be missing`() throws {
    let read = try table("commit,cpu_ns,size,scenario\n3,1500,1,save\n,20,2,load\n".replacing(",20,", with: "1,20,"))
    #expect(read.map(\.scenario) == ["save", "load"])
    #expect(read.map(\.cpu) == [TimeSpan(nanoseconds: 1_500), TimeSpan(nanoseconds: 20)])
    #expect(read[0][count: .commit] == 3)
    #expect(read[0].storage == .zero)
  }

  @Test(arguments: [
    ("", "phone.csv:1"),
    ("scenario,size,cpu_ns,commit\n", "phone.csv:1: no measurement follows the header"),
    ("scenario,size,commit\na,1,1\n", "phone.csv:1: the column cpu_ns is missing"),
    ("scenario,size,cpu_ns\na,1,1\n", "phone.csv:1: no column is a kind of work"),
    ("scenario,size,cpu_ns,commits\na,1,1,1\n", "phone.csv:1: the column commits is not known"),
    ("scenario,size,cpu_ns,commit,commit\na,1,1,1,1\n", "phone.csv:1: the column commit appears twice"),
    ("scenario,size,cpu_ns,commit\na,1,1,1\na,2,1\n", "phone.csv:3"),
    ("scenario,size,cpu_ns,commit\na,1,1,1\na,2,fast,1\n", "phone.csv:3: cpu_ns is not a whole number: fast"),
    ("scenario,size,cpu_ns,commit\na,1,-5,1\n", "phone.csv:2: cpu_ns -5 is out of range"),
    ("scenario,size,cpu_ns,commit\na,1,0,1\n", "phone.csv:2: cpu_ns is 0"),
    ("scenario,size,cpu_ns,commit\na,0,5,1\n", "phone.csv:2: size is 0"),
    ("scenario,size,cpu_ns,commit\n,1,5,1\n", "phone.csv:2: scenario is empty"),
    ("scenario,size,cpu_ns,commit\na,1,5,\n", "phone.csv:2: no work is counted"),
    ("scenario,size,cpu_ns,commit\na,1,5,1\na,1,6,1\n", "phone.csv:3: a of size 1 appears twice"),
    ("scenario,size,cpu_ns,commit\na,1,5,\"1\n", "phone.csv:"),
  ])
  func `a damaged file throws an error with its line`(_ text: String, _ message: String) {
    let failure = #expect(throws: RunFailure.self) { try table(text) }
    #expect(failure?.kind == .badUsage)
    #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
  }

  @Test func `a missing file throws an error`() {
    let failure = #expect(throws: RunFailure.self) { try MeasurementTable(path: "/nowhere/phone.csv") }
    #expect(failure?.kind == .badUsage)
  }
}
