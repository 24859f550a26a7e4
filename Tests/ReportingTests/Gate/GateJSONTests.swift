import Metrics
import Testing

@testable import Reporting

@Suite struct GateJSONTests {
  @Test func `the JSON has every measure that moved, each member always there`() throws {
    let text = try JSONText.text(of: GateJSON(MadeUpGate.report(MadeUpGate.worse, MadeUpGate.incomparable)))
    #expect(
      text == #"""
        {
          "baseline" : "Results/baseline",
          "measures" : {
            "better" : 1,
            "equal" : 654,
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
              "message" : "per-view-controller: in the baseline, but not now",
              "run" : "one-big-save"
            }
          ],
          "runs" : [
            "six",
            "one-big-save"
          ],
          "schema" : 1,
          "stacks" : [
            {
              "changes" : [
                {
                  "before" : 6000000000,
                  "change_ppm" : 83333,
                  "measure" : "import_ns",
                  "now" : 6500000000,
                  "tolerance_floor" : 0,
                  "tolerance_ppm" : 10000,
                  "verdict" : "worse"
                },
                {
                  "before" : 4000052,
                  "change_ppm" : 0,
                  "measure" : "stall_ns_p50",
                  "now" : 4000053,
                  "tolerance_floor" : 0,
                  "tolerance_ppm" : 10000,
                  "verdict" : "tolerated"
                },
                {
                  "before" : 4000088,
                  "change_ppm" : 2000000,
                  "measure" : "main_fault_ns",
                  "now" : 12000264,
                  "tolerance_floor" : 0,
                  "tolerance_ppm" : 10000,
                  "verdict" : "worse"
                },
                {
                  "before" : 50617284,
                  "change_ppm" : -500000,
                  "measure" : "heap_peak_bytes",
                  "now" : 25308642,
                  "tolerance_floor" : 0,
                  "tolerance_ppm" : 10000,
                  "verdict" : "better"
                },
                {
                  "before" : 48211,
                  "change_ppm" : 24891,
                  "measure" : "sql_statements_count",
                  "now" : 49411,
                  "tolerance_floor" : 0,
                  "tolerance_ppm" : 10000,
                  "verdict" : "worse"
                },
                {
                  "before" : 4000212,
                  "change_ppm" : 2000000,
                  "measure" : "faults_fired_count",
                  "now" : 12000636,
                  "tolerance_floor" : 0,
                  "tolerance_ppm" : 10000,
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
                  "before" : 4000212,
                  "name" : "faults_fired_count",
                  "now" : 12000636
                },
                {
                  "before" : 48211,
                  "name" : "sql_statements_count",
                  "now" : 49411
                }
              ],
              "run" : "six",
              "topology" : "three-tier",
              "variant" : null
            }
          ],
          "verdict" : "incomparable"
        }

        """#)
  }
}
