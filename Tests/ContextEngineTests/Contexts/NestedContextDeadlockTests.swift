import ContextEngine
import TestSupport
import Testing

/// Cayenne's test of deadlocks between nested contexts: two children of one parent, 300 rows, 100 rounds.
@Suite struct NestedContextDeadlockTests {
  @Test func `two children of one parent save 300 objects concurrently without a deadlock`() throws {
    let (stack, chain) = try Arrangement(depth: 0, poolSize: 1).makeStack(model: Notebook.model)
    try stack.seed { context in
      for number in 0..<300 { context.insert(Notebook.note, named: "\(number)") }
      for name in ["left", "right"] { context.insert(Notebook.tag, named: name) }
    }
    let parent = chain.root
    let children = ["left", "right"].map {
      ManagedObjectContext(.privateQueue, parent: parent, name: $0)
    }
    let failures = Journal<String>()
    for child in children {
      child.perform {
        do {
          for round in 1...100 {
            let tag = try child.named(child.name, Notebook.tag)
            for note in try child.fetch(FetchRequest(Notebook.note)) {
              // Each child has its own tag. Both set the same name, and the last save wins.
              if round % 2 == 1 { note.add(tag, to: Notebook.tags) } else { note.remove(tag, from: Notebook.tags) }
              note["name"] = .string("\(round)")
            }
            if round == 100 { tag.add(try child.fetch(FetchRequest(Notebook.note))[0], to: Notebook.notes) }
            try child.save()
          }
        } catch {
          failures.write("\(child.name): \(error)")
        }
      }
    }
    for child in children { drain(child) }
    #expect(failures.entries.isEmpty)
    try parent.performAndWait { try parent.save() }
    try stack.inStore { context in
      let notes = Array(try context.fetch(FetchRequest(Notebook.note)))
      #expect(notes.count == 300 && notes.allSatisfy { $0.name == "100" })
      #expect(notes[0].names(Notebook.tags) == ["left", "right"])
      #expect(notes[1...].allSatisfy { $0.relatedObjects(Notebook.tags).isEmpty })
    }
  }
}
