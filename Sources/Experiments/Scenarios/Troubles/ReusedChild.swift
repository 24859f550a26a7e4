import ContextEngine

extension Scenario {
  /// A child context that is kept for a second edit and shows what its object was at the first.
  static let reusedChild = Scenario(
    "reused-child", "A child that is kept for the next edit shows the object as it was at the last", group: .wrongData,
    sources: ["Zarra, Core Data Threading Demystified, 2015", "Fenwick, The Core Data stack of Hudl Technique"],
    symptoms: [.wrong(observation)],
    trouble: Side("one child of main serves both edits and keeps its objects") { bench in
      try run(bench, keepsChild: true)
    },
    cure: Side("each edit has a new child of main") { bench in
      try run(bench, keepsChild: false)
    })

  private static let observation = "title in the editor at the second edit"

  private static func run(_ bench: Bench, keepsChild: Bool) throws {
    let main = try bench.makeMain()
    try main.storeNotes(0..<1)
    let first = editor(of: main, bench)
    bench.begin()
    main.perform {
      bench.attempt("the first edit") {
        guard let note = try first.notes(key: 0).first else { return }
        note["title"] = .string("after the first edit")
        try first.save()
        try main.save()
      }
    }
    main.perform {
      bench.attempt("a change of main") {
        try main.notes(key: 0).first?["title"] = .string("changed by main")
        bench.note("sets the title to “changed by main”")
        try main.save()
      }
    }
    main.perform {
      bench.attempt("the second edit") {
        let child = keepsChild ? first : editor(of: main, bench)
        let title = try child.notes(key: 0).first?.title ?? "no note"
        bench.observe(observation, "“\(title)”", right: "“changed by main”")
      }
    }
    try bench.rest()
  }

  /// Returns a child of main on main's queue that keeps its objects, as a screen keeps the object that it shows.
  private static func editor(of main: ManagedObjectContext, _ bench: Bench) -> ManagedObjectContext {
    let child = bench.keep(ManagedObjectContext(.mainQueue, parent: main, name: "editor"))
    main.performAndWait { child.retainsRegisteredObjects = true }
    return child
  }
}
