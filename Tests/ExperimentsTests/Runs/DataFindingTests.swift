import Testing
import Topologies

@testable import Experiments

/// The decision whether wrong data are the fault of a stack or of the expected rows.
@Suite struct DataFindingTests {
  private static let (main, worker) = (Topology.allMain.title, Topology.workerMerge(.notification).title)

  private func findings(_ problems: (String, String?)...) -> [DataFinding] {
    problems.map { DataFinding(topology: $0, problem: $1) }
  }

  @Test func `a problem that all stacks have is not the fault of one of them`() {
    let same = findings((Self.main, "a is 1"), (Self.worker, "a is 1"))
    #expect(DataFinding.sameProblem(same) == "a is 1" && DataFinding.decidingStack(same) == nil)
    #expect(DataFinding.sameProblem(findings((Self.main, nil), (Self.worker, "a is 1"))) == nil)
    #expect(DataFinding.sameProblem(findings((Self.main, "b is 2"), (Self.worker, "a is 1"))) == nil)
  }

  @Test func `a further stack decides if the plainest one has no trial, or no other one has`() {
    #expect(DataFinding.decidingStack(findings((Self.worker, "a is 1")))?.title == Self.main)
    #expect(DataFinding.decidingStack(findings((Self.worker, "a is 1"), ("mine", "a is 1")))?.title == Self.main)
    #expect(DataFinding.decidingStack(findings((Self.main, "a is 1")))?.title == Self.worker)
  }

  @Test func `the failure asks for a report in one line`() {
    let failure = DataFinding.failure("Shop.xcdatamodel", problem: "Price 1 is missing")
    #expect(failure.kind == .failed)
    #expect(
      failure.description
        == "Shop.xcdatamodel: this model cannot be checked, because all stacks differ in the same way from the rows that "
        + "Stackbench expects (Price 1 is missing); that is an error of Stackbench and not of a stack, please report it "
        + "with the model")
  }
}
