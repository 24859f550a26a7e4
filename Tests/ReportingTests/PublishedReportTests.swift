import MachineCore
import Metrics
import Testing

@testable import Reporting

@Suite struct PublishedReportTests {
  /// The published figures, those of one row changed.
  private func text(childOfMainTotal: Int64 = 83_000) -> String {
    let rows = PublishedFigures.kugler2013.map { published in
      let total = published.topology == "child-of-main" ? childOfMainTotal : published.totalMilliseconds
      return PublishedComparison.Row(
        published, total: .milliseconds(total), mainCPU: .milliseconds(published.mainCPUMilliseconds))
    }
    return PublishedReport(
      PublishedComparison(kugler2013: rows), profile: "ipad-mini-ios-6", usesColour: false
    ).text
  }

  @Test func `published figures and those run here stand side by side`() {
    #expect(
      text() == """
        Kugler's shootout of 2013, published and on profile ipad-mini-ios-6

        topology      one save per published s main CPU s here s main CPU s role
        ------------- ------------ ----------- ---------- ------ ---------- ---------
        child-of-main entity              83.0       43.0   83.0       43.0 predicted
        three-tier    entity             105.0       29.0  105.0       29.0 predicted
        worker-merge  entity              67.0      0.270   67.0      0.270 fitted
        three-tier    500 objects         87.0       31.0   87.0       31.0 predicted
        worker-merge  500 objects         57.0      0.230   57.0      0.230 fitted

        order                                       here at least at most comes out
        ---------------------------------------- ------- -------- ------- ---------
        total_child_of_main_to_worker_merge        1.239    1.100   1.400 yes
        total_three_tier_to_child_of_main          1.265    1.000       - yes
        total_three_tier_to_worker_merge           1.567    1.300   1.800 yes
        main_cpu_three_tier_to_worker_merge      107.407   50.000       - yes
        main_cpu_child_of_main_to_three_tier       1.483    1.200   2.000 yes
        total_cut_by_batching_three_tier           0.171    0.100   0.250 yes
        total_cut_by_batching_worker_merge         0.149    0.100   0.250 yes
        main_cpu_change_by_batching_three_tier     0.069   -0.250   0.250 yes
        main_cpu_change_by_batching_worker_merge  -0.148   -0.250   0.250 yes

        fitted = the profile was made to agree with the row.
        All 9 orders come out.

        """)
  }

  @Test func `an order that does not come out is named`() {
    let text = text(childOfMainTotal: 60_000)
    #expect(text.contains("1 of 9 orders do not come out: total_child_of_main_to_worker_merge.\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
