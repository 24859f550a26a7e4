import InputFiles
import Testing

@testable import Experiments

/// Tests of the files of claims and experiments.
@Suite struct ClaimsReadingTests {
  @Test func `an experiment has a point for each combination, the last setting changing fastest`() throws {
    let sizes = try SmallCatalogue.experiments()[0]
    #expect(sizes.stacks == ["all-main", "worker-merge/notification", "three-tier"])
    #expect(sizes.deciding == ["draw 1", "draw 2"])
    #expect(
      try sizes.points().map(\.text).prefix(4) == [
        "profile=iphone-15-pro rows=10", "profile=iphone-15-pro rows=100", "profile=iphone-15-pro rows=1000",
        "profile=iphone-6s rows=10",
      ])
    #expect(try SmallCatalogue.experiments()[1].points().map(\.text) == [""])
  }

  @Test func `an experiment with a scenario has a point for each profile and seed, and the sides as rows`() throws {
    let trouble = try SmallCatalogue.experiments()[2]
    #expect(trouble.stacks == ["trouble", "cure"])
    #expect(try trouble.points().map(\.text) == ["seed=1", "seed=2", "seed=3"])
    #expect(trouble.deciding == ["device"])
    #expect(try trouble.commands() == ["stackbench scenario temporary-id --seeds 3"])
    let phones = try SmallCatalogue.experiments()[3]
    #expect(phones.trials(draws: true) == ["device", "draw 1", "draw 2"] && phones.trials(draws: false) == ["device"])
    #expect(
      try phones.commands() == [
        "stackbench scenario main-saves-much", "stackbench scenario main-saves-much --profile iphone-6s",
      ])
  }

  @Test func `an experiment with peers has a point for each case, and the peers as rows`() throws {
    let peers = try SmallCatalogue.experiments()[4]
    #expect(peers.machine == .live && peers.stacks == ["stackbench", "raw"])
    #expect(try peers.points().map(\.text) == ["case=insert", "case=fetch"])
    #expect(try peers.commands() == ["make peers"])
  }

  private static let numbers = (1...101).map { "\($0)" }.joined(separator: ", ")

  @Test(arguments: [
    ("experiments:\n  a:\n    settings: {rows: 5}", "experiments.yaml:3: experiments.a.settings: has no topology"),
    (
      "experiments:\n  a:\n    settings: {topology: all, rows: many}",
      "experiments.yaml:3: experiments.a.settings.rows: --rows many: "
    ),
    (
      "experiments:\n  a:\n    settings: {topology: all, raws: 5}",
      "experiments.yaml:3: experiments.a.settings.raws: --raws: not a setting of a run; "
    ),
    (
      "experiments:\n  a:\n    settings: {topology: all, draws: 5}",
      "experiments.yaml:3: experiments.a.settings.draws: does not belong here"
    ),
    (
      "experiments:\n  a:\n    settings: {topology: all}\n    vary: {rows: [5, 5]}",
      "experiments.yaml:4: experiments.a.vary.rows: 5 appears twice"
    ),
    (
      "experiments:\n  a:\n    settings: {topology: all, rows: 5}\n    vary: {rows: [5, 6]}",
      "experiments.yaml:4: experiments.a.vary.rows: cannot be varied, because settings has it"
    ),
    (
      "experiments:\n  a:\n    machine: live\n    settings: {topology: all}",
      "experiments.yaml:4: experiments.a.settings: has no trials"
    ),
    (
      "experiments:\n  a:\n    machine: live\n    draws: 3\n    settings: {topology: all, trials: 3}",
      "experiments.yaml:4: experiments.a.draws: a live machine draws no devices"
    ),
    (
      "experiments:\n  a:\n    settings: {topology: all, store-save: at-end}",
      "experiments.yaml:3: experiments.a: --store-save at-end: all-main has no root"
    ),
    (
      "experiments:\n  a: {scenario: temporary-ids}",
      "experiments.yaml:2: experiments.a.scenario: temporary-ids is not known; "
    ),
    (
      "experiments:\n  a: {scenario: temporary-id, settings: {rows: 5}}",
      "experiments.yaml:2: experiments.a.settings: "
    ),
    (
      "experiments:\n  a: {scenario: temporary-id, vary: {profile: [iphone-1]}}",
      "experiments.yaml:2: experiments.a.vary.profile: iphone-1: not known; did you mean iphone-5?"
    ),
    (
      "experiments:\n  a:\n    settings: {topology: all, profile: iphone-6z}",
      "experiments.yaml:3: experiments.a.settings.profile: iphone-6z: not known; did you mean iphone-6s?"
    ),
    (
      "experiments:\n  a:\n    settings: {topology: all}\n    vary: {save-evry: [5]}",
      "experiments.yaml:4: experiments.a.vary.save-evry: --save-evry: not a setting of a run; did you mean --save-every?"
    ),
    (
      "experiments:\n  a:\n    settings: {topology: all}\n    vary:\n      rows: [\(numbers)]\n      seed: [\(numbers)]",
      "experiments.yaml:6: experiments.a.vary.seed: has more than 10000 combinations with the settings above; "
    ),
    (
      "experiments:\n  a:\n    settings: {topology: worker-merge, merge: reset}",
      "experiments.yaml:3: experiments.a.settings.merge: does not belong here; name the variants in topology"
    ),
    (
      "experiments:\n  a:\n    settings: {topology: worker-merg}",
      "experiments.yaml:3: experiments.a.settings.topology: --topology worker-merg: not known; "
        + "did you mean worker-merge?"
    ),
    (
      "experiments:\n  a:\n    setings: {topology: all}",
      "experiments.yaml:3: experiments.a.setings: not known; did you mean settings?"
    ),
    (
      "experiments:\n  a: {peers: [raw, raw], cases: [insert]}",
      "experiments.yaml:2: experiments.a.peers: raw appears twice"
    ),
  ])
  func `a wrong experiment is an error with its line and key`(text: String, message: String) throws {
    let error = try #require(throws: YAMLError.self) { try SmallCatalogue.experiments(text) }
    #expect(error.description.hasPrefix(message), "\(error)")
  }

  private static let value = "{value: {column: frames_dropped_count, of: all-main, at: {rows: 10}}}"

  @Test(arguments: [
    ("evidence: counter\nlabel: a figure", "small.yaml:5: claims[0].figure: missing"),
    (
      SmallCatalogue.claim(value).replacing("sizes", with: "sises"),
      "small.yaml:8: claims[0].experiment: sises is not known; did you mean sizes?"
    ),
    (
      SmallCatalogue.claim(value).replacing("simulated", with: "live"),
      "small.yaml:7: claims[0].evidence: sizes runs on the simulated machine"
    ),
    (
      SmallCatalogue.claim(value, over: "[seed]"),
      "small.yaml:11: claims[0].over: seed is not varied by the experiment; use one of profile, rows"
    ),
    (
      SmallCatalogue.claim("{value: {column: frames_dropped_count, of: all-main}}"),
      "small.yaml:10: claims[0].figure.value.of: leaves rows open"
    ),
    (
      SmallCatalogue.claim(value.replacing("frames_dropped", with: "frames_lost")),
      "small.yaml:10: claims[0].figure.value.column: frames_lost_count is not a column of the experiment's figures; "
        + "use a column of trials.csv, which 'stackbench run' writes"
    ),
    (
      SmallCatalogue.claim(value.replacing("frames_dropped", with: "frames_droped")),
      "small.yaml:10: claims[0].figure.value.column: frames_droped_count is not a column of the experiment's figures; "
        + "did you mean frames_dropped_count?"
    ),
    (
      SmallCatalogue.claim(value.replacing("frames_dropped_count", with: "[import_ns, commits_count]")),
      "small.yaml:10: claims[0].figure.value.column: the columns have different units"
    ),
    (
      SmallCatalogue.claim(value.replacing("all-main", with: "child-of-main")),
      "small.yaml:10: claims[0].figure.value.of: child-of-main is not in the experiment; use one of all-main, "
    ),
    (
      SmallCatalogue.claim(value.replacing("all-main", with: "all-man")),
      "small.yaml:10: claims[0].figure.value.of: all-man is not known; did you mean all-main? use one of all-main, "
    ),
    (
      SmallCatalogue.claim(value.replacing("rows: 10", with: "rows: 11")),
      "small.yaml:10: claims[0].figure.value.at.rows: 11 is not known; did you mean 10? use one of 10, 100, 1000"
    ),
    (
      SmallCatalogue.claim("{ratio: 1}"), "small.yaml:10: claims[0].figure.ratio: not known; use one of value, quotient"
    ),
    (
      SmallCatalogue.claim("{largest: {along: profile, quantity: {column: import_ns, of: all-main}}}"),
      "small.yaml:10: claims[0].figure.largest.along: profile is not varied by the experiment, or is in over"
    ),
    (
      SmallCatalogue.claim(value, holdsIf: "{above: 1, below: 2}"),
      "small.yaml:12: claims[0].holds-if: not one comparison"
    ),
    (
      SmallCatalogue.claim(value).components(separatedBy: "holds-if")[0],
      "small.yaml:5: claims[0].holds-if: missing; use {at-most: 0}, or one of above, below, "
    ),
    (
      SmallCatalogue.claim(value).replacing("holds-if", with: "hold-if"),
      "small.yaml:12: claims[0].hold-if: not known; did you mean holds-if?"
    ),
    (
      SmallCatalogue.claim(value, holdsIf: "{above: much}"),
      "small.yaml:12: claims[0].holds-if.above: much is not a number"
    ),
    (
      SmallCatalogue.claim("{value: {advice: speed, of: all-main, at: {rows: 10}}}"),
      "small.yaml:10: claims[0].figure.value.advice: speed is not known; use one of smoothness"
    ),
    (
      SmallCatalogue.claim("{value: {code: rules, advice: smoothness, of: all-main}}"),
      "small.yaml:10: claims[0].figure.value.code: contradicts advice; use one of the two"
    ),
    (
      SmallCatalogue.counted("{value: {advice: smoothness, of: cure, at: {seed: 1}}}", of: "trouble"),
      "small.yaml:10: claims[0].figure.value.advice: needs an experiment with stacks"
    ),
    (
      SmallCatalogue.counted("{value: {column: import_ns, of: cure, at: {seed: 1}}}", of: "trouble"),
      "small.yaml:10: claims[0].figure.value.column: import_ns is not a column of the experiment's figures"
    ),
    (
      SmallCatalogue.counted("{value: {column: trapped, of: all-main, at: {seed: 1}}}", of: "trouble"),
      "small.yaml:10: claims[0].figure.value.of: all-main is not known; use one of trouble, cure"
    ),
    (
      SmallCatalogue.counted("{value: {column: trapped, of: raw, at: {case: insert}}}", of: "engine", evidence: "live"),
      "small.yaml:10: claims[0].figure.value.column: trapped is not a column of the experiment's figures"
    ),
    (
      "undecidable: for a reason\nlabel: a figure", "small.yaml:8: claims[0].label: contradicts undecidable"
    ),
  ])
  func `a wrong claim is an error with its line and key`(keys: String, message: String) throws {
    let error = try #require(throws: YAMLError.self) { try SmallCatalogue.catalogue(keys) }
    #expect(error.description.hasPrefix(message), "\(error)")
  }

  @Test func `a file may have experiments of its own, and leave out its author, its title and the evidence`() throws {
    let text = """
      experiments:
        own: {settings: {topology: [all-main, all]}}
      claims:
        - {id: a, statement: A., experiment: own, label: a, figure: {place: {column: import_ns, of: all-main}},
          holds-if: {equals: 1}}
        - {id: b, statement: B., label: b, figure: {value: {code: rules, of: all-main}}, holds-if: {equals: 0}}
      """
    let reader = ArticleReader(experiments: try SmallCatalogue.experiments())
    let catalogue = try reader.catalogue(from: text, place: "some/mine.yaml")
    #expect(catalogue.articles.map(\.citation) == ["mine.yaml"] && catalogue.articles[0].key == "mine")
    #expect(catalogue.claims.map(\.test?.evidence) == [.simulated, .counter])
    let own = try #require(catalogue.experiments(of: catalogue.claims).first)
    #expect(own.stacks.count == 6 && own.stacks.first == "all-main")

    let taken = try #require(throws: YAMLError.self) {
      try reader.catalogue(from: text.replacing("own:", with: "sizes:"), place: "mine.yaml")
    }
    #expect(
      taken.description == "mine.yaml:2: experiments.sizes: the name of a shipped experiment; use another name")
  }

  @Test func `an id is given once and has letters, digits and hyphens only`() throws {
    let experiments = try SmallCatalogue.experiments()
    let text = SmallCatalogue.articleText("undecidable: for a reason")
    let twice = text + "\n  - {id: it-is-so, statement: It is so., undecidable: for a reason}"
    let error = try #require(throws: YAMLError.self) {
      try ArticleReader(experiments: experiments).catalogue(from: twice, place: "small.yaml")
    }
    #expect(error.description == "small.yaml:8: claims[1].id: it-is-so appears twice; use another id")
    let spaced = try #require(throws: YAMLError.self) {
      try ArticleReader(experiments: experiments).catalogue(
        from: text.replacing("it-is-so", with: "It is"), place: "small.yaml")
    }
    #expect(spaced.description.hasPrefix("small.yaml:5: claims[0].id: It is is not an id"))
  }
}
