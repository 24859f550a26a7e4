import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct RelationshipFootprintTests {
  @Test(arguments: Arrangement.all)
  func `unsaved pairs and ordered members count in the footprint`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    let expectRecount = { (moment: String) in
      let counted = Recount.bytes(chain.contexts, stack.coordinator)
      #expect(stack.coordinator.footprint.figures.currentBytes == counted, "\(moment)")
    }
    let note = chain.leaf.performAndWait {
      let note = chain.leaf.insert(Notebook.note, named: "note")
      for name in ["a", "b", "c"] {
        note.insert(chain.leaf.insert(Notebook.step, named: name), into: Notebook.steps, at: 0)
        note.add(chain.leaf.insert(Notebook.tag, named: name), to: Notebook.tags)
      }
      return note
    }
    expectRecount("arranged")
    try chain.saveAll()
    expectRecount("saved")
    chain.leaf.performAndWait {
      note.moveObjects(of: Notebook.steps, at: [0], to: 2)
      note.setRelatedObjects([], at: Notebook.tags)
    }
    expectRecount("moved")
    chain.leaf.performAndWait { chain.leaf.rollback() }
    expectRecount("rolled back")
  }
}
