import Foundation
import Testing

/// Tests that the rules find the events that break them.
@Suite struct TraceRulesTests {
  private static let good = """
    {"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"all-main"}},
    {"ph":"M","pid":1,"tid":7,"name":"thread_name","args":{"name":"main"}},
    {"ph":"B","pid":1,"tid":7,"ts":1,"name":"block"},
    {"ph":"X","pid":1,"tid":7,"ts":2,"dur":2.5,"name":"save"},
    {"ph":"s","pid":1,"tid":7,"ts":3,"name":"merge","cat":"flow","id":4294967297},
    {"ph":"X","pid":1,"tid":7,"ts":5,"dur":1,"name":"merge"},
    {"ph":"f","pid":1,"tid":7,"ts":5,"name":"merge","cat":"flow","id":4294967297,"bp":"e"},
    {"ph":"E","pid":1,"tid":7,"ts":9.001},
    {"ph":"C","pid":1,"tid":0,"ts":4,"name":"heap","args":{"bytes":12}},
    {"ph":"i","pid":1,"tid":7,"ts":4,"name":"payload 0 arrives","s":"t"}
    """

  private func complaints(replacing old: String = "", by new: String = "") throws -> [String] {
    let events = old.isEmpty ? Self.good : Self.good.replacingOccurrences(of: old, with: new)
    #expect(old.isEmpty || events != Self.good)
    return try TraceRules(events: events).complaints
  }

  @Test func `a valid trace has no complaints`() throws {
    #expect(try complaints() == [])
  }

  @Test(arguments: [
    (#""ts":9.001"#, #""ts":0.5"#), (#"{"ph":"E","pid":1,"tid":7,"#, #"{"ph":"E","pid":1,"tid":8,"#),
    (#"{"ph":"E","#, #"{"ph":"Z","#), (#""ts":1,"name":"block""#, #""ts":-1,"name":"block""#),
    (#""dur":2.5"#, #""dur":-2.5"#), (#""dur":2.5"#, #""dur":3.5"#), (#""dur":1,"#, ""),
    (#""name":"save""#, #""name":"""#), (#"{"bytes":12}"#, #"{"bytes":"12"}"#), (#"{"bytes":12}"#, "{}"),
    (#"{"bytes":12}"#, #"{"bytes":true}"#), (#","bp":"e""#, ""), (#","id":4294967297,"bp""#, #","id":5,"bp""#),
    (#""ph":"f""#, #""ph":"i","s":"t""#), (#""ph":"s""#, #""ph":"i","s":"t""#), (#""ts":3,"#, #""ts":300,"#),
    (#""ts":5,"name":"merge","cat""#, #""ts":2,"name":"merge","cat""#), (#","s":"t""#, ""),
    (#""name":"thread_name""#, #""name":"thread_title""#), (#"{"name":"main"}"#, "{}"),
    (#""tid":7,"name":"thread_name""#, #""tid":6,"name":"thread_name""#),
    (#""tid":7,"name":"thread_name""#, #""tid":7,"name":"process_name""#),
  ])
  func `a trace that breaks a rule has a complaint`(_ old: String, _ new: String) throws {
    #expect(try !complaints(replacing: old, by: new).isEmpty)
  }
}
