import MachineCore

/// The words of stories for kinds of work.
enum WorkText {
  /// Returns the words for a kind of work by its name, or the name itself if a story has no words for it.
  static func of(_ name: String) -> String { words[name] ?? name }

  private static let words: [String: String] = [
    "\(Work.Kind.perform)": "blocks performed", "\(Work.Kind.statementRun)": "SQL statements",
    "\(Work.Kind.rowStepped)": "rows read",
    "\(Work.Kind.rowScanned)": "rows passed over", "\(Work.Kind.objectRegistered)": "objects registered",
    "\(Work.Kind.faultFired)": "faults fired",
    "\(Work.Kind.objectTested)": "objects compared with a predicate", "\(Work.Kind.objectPushed)": "changes pushed",
    "\(Work.Kind.insertionPushed)": "new objects pushed", "\(Work.Kind.insertionMerged)": "new objects merged",
    "\(Work.Kind.changeMergedRealised)": "changed objects merged", "\(Work.Kind.recordDecoded)": "records decoded",
    "\(Work.Kind.commit)": "commits",
  ]
}
