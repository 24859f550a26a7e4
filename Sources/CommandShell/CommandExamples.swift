import Experiments

/// Examples of command lines, two for each command. Each has the line for a shell and a description of its result with
/// units.
package enum CommandExamples {
  package struct Example: Hashable, Sendable {
    package var line: String
    package var meaning: String
  }

  /// Returns the examples of a command, or of the program itself if `command` is nil.
  package static func of(_ command: String?) -> [Example] {
    (table[command ?? program] ?? []).map { Example(line: $0.0, meaning: $0.1) }
  }

  private static let program = "stackbench"

  private static let table: [String: [(String, String)]] = [
    program: [
      (
        "stackbench run --machine simulated",
        "the six stacks on a phone, in virtual time: a few seconds"
      ),
      (
        "stackbench advise --priority smoothness",
        "the stack to take"
      ),
    ],
    "run": [
      (
        "stackbench run --rows 20000 --trials 3",
        "20,000 records into each of the six stacks, three times, on this computer"
      ),
      (
        "stackbench run --machine simulated --profile iphone-6s --arrival-interval 250 --name old-phone",
        "a payload every 250 ms on an iPhone 6s, kept as Results/old-phone"
      ),
    ],
    "init": [
      (
        "stackbench init",
        "stackbench.yaml with the model, the feed and the store in this folder"
      ),
      (
        "stackbench init App --force",
        "the same for the folder App, in place of the file that it has"
      ),
    ],
    "topologies": [
      (
        "stackbench topologies three-tier --format yaml",
        "one stack as a file, to change it into one of your own"
      ),
      (
        "stackbench topologies three-tier --format swift",
        "the wiring of one as code"
      ),
    ],
    "workloads": [
      (
        "stackbench workloads",
        "what can be imported"
      ),
      (
        "stackbench run --workload flat --rows 20000",
        "20,000 records of one of them"
      ),
    ],
    "inspect": [
      (
        "stackbench inspect app.sqlite --model App.xcdatamodeld",
        "the entities and rows of a store, and if it belongs to the model"
      ),
      (
        "stackbench inspect App.xcdatamodeld --format dot",
        "a diagram of a model for Graphviz"
      ),
    ],
    "profiles": [
      (
        "stackbench profiles",
        "the simulated devices"
      ),
      (
        "stackbench profiles iphone-6s",
        "the costs of one, in nanoseconds"
      ),
    ],
    "calibrate": [
      (
        "stackbench calibrate --output mine.yaml",
        "this computer as a profile"
      ),
      (
        "stackbench calibrate --output mine.yaml --seconds 60",
        "the same with 60 s of measurements"
      ),
    ],
    "validate": [
      (
        "stackbench validate --rows 5000 --trials 3",
        "live trials of 5,000 records beside simulated ones"
      ),
      (
        "stackbench validate --published all",
        "published tables beside simulated ones"
      ),
    ],
    "sweep": [
      (
        "stackbench sweep --vary batch-size=100,500,1000 --vary topology=all",
        "payloads of 100 to 1,000 records, in each of the six stacks"
      ),
      (
        "stackbench sweep --vary frame-work=2,8 --vary profile=iphone-15-pro,iphone-6s --topology three-tier",
        "2 and 8 ms of work a frame, on two phones"
      ),
    ],
    "trial": [
      (
        "stackbench trial --plan plan.jsonl --index 1",
        "the first trial of a plan"
      ),
      (
        "stackbench trial --plan plan.jsonl --index 12 --output results",
        "the twelfth, into another folder"
      ),
    ],
    "collect": [
      (
        "stackbench collect plan.jsonl",
        "the trials that lie beside the plan, as one table"
      ),
      (
        "stackbench collect results --output joined",
        "those in a folder, into another"
      ),
    ],
    "explain": [
      (
        "stackbench explain three-tier",
        "what happens in one stack when a payload arrives"
      ),
      (
        "stackbench explain worker-merge --rows 100 --save-every 20",
        "the same for a payload of 100 records in units of 20"
      ),
    ],
    "explore": [
      (
        "stackbench explore all --schedules 200",
        "the six stacks, each with 200 orders of its threads: some seconds"
      ),
      (
        "stackbench explore stops-sometimes",
        "a deadlock that some orders show, as a shortened schedule"
      ),
    ],
    "soak": [
      (
        "stackbench soak --minutes 60",
        "the six stacks for ten minutes each, and what grows"
      ),
      (
        "stackbench soak worker-merge --rounds 200",
        "one stack for 200 rounds"
      ),
    ],
    "scenario": [
      (
        "stackbench scenario wait-for-child-save",
        "a deadlock, its circle of waits, and the call that avoids it"
      ),
      (
        "stackbench scenario stops-sometimes --seeds 100",
        "on how many of 100 schedules a deadlock shows up"
      ),
    ],
    "claims": [
      (
        "stackbench claims",
        "what five articles say, and whether it holds"
      ),
      (
        "stackbench claims private-root-frees-main --profile iphone-4s",
        "one claim with its figure, on another device"
      ),
    ],
    "gate": [
      (
        "stackbench gate",
        "what is worse than the baseline"
      ),
      (
        "stackbench gate --format markdown",
        "the same for a pull request"
      ),
    ],
    "compare": [
      (
        "stackbench compare",
        "the result in Results/latest against the one that was there before"
      ),
      (
        "stackbench compare --live HEAD~1 HEAD --pairs 6 --rows 5000",
        "two versions in turns, six pairs of trials of 5,000 records each"
      ),
    ],
    "report": [
      (
        "stackbench report",
        "Results/latest as a page"
      ),
      (
        "stackbench report Results/before --output before.html",
        "another result, into a file of its own"
      ),
    ],
    "advise": [
      (
        "stackbench advise --max-hitch 5 --max-time-to-visible 500",
        "at most 5 ms of hitches a second, and every new row on screen within half a second"
      ),
      (
        "stackbench advise --priority freshness --profile iphone-6s --arrival-interval 250",
        "what shows new rows first, with a payload every 250 ms"
      ),
    ],
    "show": [
      (
        "stackbench show",
        "Results/latest again"
      ),
      (
        "stackbench show Results/sweep-batch-size --format csv",
        "a sweep as its table"
      ),
    ],
  ]
}
