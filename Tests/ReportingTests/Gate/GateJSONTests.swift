import Metrics
import Testing

@testable import Reporting

@Suite struct GateJSONTests {
  @Test func `the JSON has every measure that moved, each member always there`() throws {
    let text = try JSONText.text(of: MadeUpGate.report(MadeUpGate.worse, MadeUpGate.incomparable).json)
    #expect(
      text == #"""
        {
          "baseline" : "Results/baseline",
          "changed" : [

          ],
          "limits" : [

          ],
          "measures" : {
            "better" : 1,
            "equal" : 687,
            "tolerated" : 1,
            "worse" : 4
          },
          "mismatches" : [
            {
              "kind" : "unverified",
              "message" : "three-tier, trial 1: <it> hung & \"died\"",
              "run" : "one-big-save"
            },
            {
              "kind" : "rows",
              "message" : "per-view-controller: in the baseline, but missing now",
              "run" : "one-big-save"
            }
          ],
          "runs" : [
            "six",
            "one-big-save"
          ],
          "schema" : 2,
          "stacks" : [
            {
              "band" : null,
              "changes" : [
                {
                  "before" : 6000000000,
                  "change_ppm" : 83333,
                  "evidence" : "one device",
                  "floor" : 60000000,
                  "measure" : "import_ns",
                  "noticed" : 60000000,
                  "now" : 6500000000,
                  "shift" : 0,
                  "standard_error" : 0,
                  "verdict" : "worse"
                },
                {
                  "before" : 4000052,
                  "change_ppm" : 0,
                  "evidence" : "one device",
                  "floor" : 2000000,
                  "measure" : "stall_ns_p50",
                  "noticed" : 2000000,
                  "now" : 4000053,
                  "shift" : 0,
                  "standard_error" : 0,
                  "verdict" : "tolerated"
                },
                {
                  "before" : 4000088,
                  "change_ppm" : 2000000,
                  "evidence" : "one device",
                  "floor" : 100000,
                  "measure" : "main_fault_ns",
                  "noticed" : 100000,
                  "now" : 12000264,
                  "shift" : 0,
                  "standard_error" : 0,
                  "verdict" : "worse"
                },
                {
                  "before" : 50617284,
                  "change_ppm" : -500000,
                  "evidence" : "one device",
                  "floor" : 506172.84,
                  "measure" : "heap_peak_bytes",
                  "noticed" : 506172.84,
                  "now" : 25308642,
                  "shift" : 0,
                  "standard_error" : 0,
                  "verdict" : "better"
                },
                {
                  "before" : 48211,
                  "change_ppm" : 24891,
                  "evidence" : "counter",
                  "floor" : 482.11,
                  "measure" : "sql_statements_count",
                  "noticed" : 482.11,
                  "now" : 49411,
                  "shift" : 0,
                  "standard_error" : 0,
                  "verdict" : "worse"
                },
                {
                  "before" : 4000220,
                  "change_ppm" : 2000000,
                  "evidence" : "counter",
                  "floor" : 40002.2,
                  "measure" : "faults_fired_count",
                  "noticed" : 40002.2,
                  "now" : 12000660,
                  "shift" : 0,
                  "standard_error" : 0,
                  "verdict" : "worse"
                }
              ],
              "charges" : [
                {
                  "before_ns" : 40000000,
                  "now_ns" : 163456789,
                  "work" : "ui faultFired"
                }
              ],
              "counters" : [
                {
                  "before" : 4000220,
                  "name" : "faults_fired_count",
                  "now" : 12000660
                },
                {
                  "before" : 48211,
                  "name" : "sql_statements_count",
                  "now" : 49411
                }
              ],
              "draws_count" : 0,
              "run" : "six",
              "topology" : "three-tier",
              "variant" : null
            }
          ],
          "unrecorded" : [

          ],
          "verdict" : "incomparable"
        }

        """#)
  }
}
