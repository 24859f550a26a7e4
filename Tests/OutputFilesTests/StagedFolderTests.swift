import Foundation
import Reporting
import TestSupport
import Testing

@testable import OutputFiles

/// Folders that are replaced at once.
@Suite struct StagedFolderTests {
  private let scratch: FilesScratch

  /// The files of a result, of which the first shows that there is one.
  private static let names: Set<String> = ["mark", "table", "gone", ResultOrigin.fileName]
  private static let removing = EarlierFiles(isReplaced: names.contains, marks: ["mark"])
  private static let keeping = EarlierFiles(
    isReplaced: names.contains, marks: ["mark"],
    keeping: .init(day: "2026-07-29", writeNote: ResultOrigin(name: "result", number: 3).write))

  init() throws {
    scratch = try FilesScratch()
  }

  /// Makes a folder with a result and with files that do not belong to it, one of which has a name that is not UTF-8.
  private func makeEarlier(_ folder: String = "result") throws {
    for name in ["mark", "table", "gone"] { try scratch.write("old", to: "\(folder)/\(name)") }
    try scratch.write("own", to: "\(folder)/notes")
    try scratch.write("own", to: "\(folder)/inner/mark")
    let foreign = Array("\(scratch.path(folder))/f".utf8CString.dropLast()) + [CChar(bitPattern: 0xff), 0]
    close(open(foreign, O_CREAT | O_WRONLY, 0o600))
  }

  private func foreignIsThere(_ folder: String) -> Bool {
    let name = Array("\(scratch.path(folder))/f".utf8CString.dropLast()) + [CChar(bitPattern: 0xff), 0]
    return access(name, F_OK) == 0
  }

  /// Stages a new result with a mark and a table.
  private func stage(_ folder: String = "result") throws -> StagedFolder {
    let staged = try StagedFolder(for: scratch.path(folder))
    for name in ["mark", "table"] { try AtomicFile.write(Data("new".utf8), to: "\(staged.path)/\(name)") }
    return staged
  }

  /// Expects the new result with all files that did not belong to the earlier one.
  private func expectNew(_ folder: String = "result", sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try scratch.text("\(folder)/mark") == "new", sourceLocation: sourceLocation)
    #expect(try scratch.text("\(folder)/table") == "new", sourceLocation: sourceLocation)
    #expect(try scratch.text("\(folder)/notes") == "own", sourceLocation: sourceLocation)
    #expect(try scratch.text("\(folder)/inner/mark") == "own", sourceLocation: sourceLocation)
    #expect(foreignIsThere(folder), sourceLocation: sourceLocation)
    #expect(try scratch.contents(folder).count == 5, sourceLocation: sourceLocation)
  }

  /// Expects the earlier result in the folder of its day.
  private func expectKept(_ folder: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try scratch.contents(folder) == ["gone", "mark", "origin.json", "table"], sourceLocation: sourceLocation)
    for name in ["gone", "mark", "table"] {
      #expect(try scratch.text("\(folder)/\(name)") == "old", sourceLocation: sourceLocation)
    }
    #expect(
      ResultOrigin(in: scratch.path(folder)) == ResultOrigin(name: "result", number: 3), sourceLocation: sourceLocation)
  }

  // MARK: Replacing

  @Test func `an earlier result is replaced, and all else stays`() throws {
    try makeEarlier()
    chmod(scratch.path("result"), 0o750)
    let staged = try stage()
    #expect(try scratch.text("result/table") == "old")
    #expect(try staged.commit(replacing: Self.removing) == nil)
    try expectNew()
    #expect(try scratch.contents() == ["result"])
    var status = stat()
    #expect(stat(scratch.path("result"), &status) == 0 && status.st_mode & 0o777 == 0o750)
  }

  @Test func `an earlier result is kept in the first free folder of its day`() throws {
    try makeEarlier()
    try scratch.write("", to: "2026-07-29-1/file")
    #expect(try stage().commit(replacing: Self.keeping) == scratch.path("2026-07-29-2"))
    try expectNew()
    try expectKept("2026-07-29-2")
    #expect(try scratch.contents() == ["2026-07-29-1", "2026-07-29-2", "result"])
  }

  @Test func `an earlier result that cannot be moved away is named, and the next command moves it`() throws {
    try makeEarlier()
    var earlier = Self.keeping
    earlier.keeping?.writeNote = { (path) throws(FileError) in throw FileError(writing: "\(path)/note", ENOSPC) }
    let staged = try stage()
    let old = staged.path
    let error = #expect(throws: FileError.self) { try staged.commit(replacing: earlier) }
    #expect(error?.code == .earlierLeft)
    #expect(
      error?.description.hasPrefix(
        "\(scratch.path("result")): has the new files, but the earlier ones are still in \(old), from which the next "
          + "command that writes here moves them: \(old)/note: cannot be written: no space is left") == true)
    try expectNew()
    try settle()
    try expectKept("2026-07-29-1")
    #expect(try scratch.contents() == ["2026-07-29-1", "result"])
  }

  @Test func `a link to a folder stays, and the folder that it leads to is replaced`() throws {
    try makeEarlier("elsewhere/result")
    symlink("elsewhere/result", scratch.path("link"))
    #expect(try stage("link").commit(replacing: Self.removing) == nil)
    try expectNew("elsewhere/result")
    #expect(scratch.kind("link") == S_IFLNK)
    #expect(try scratch.contents("elsewhere") == ["result"])
  }

  /// A hidden folder next to it would have a name that is too long.
  @Test(arguments: [true, false])
  func `a folder that cannot change its name is replaced file by file`(keeps: Bool) throws {
    let name = String(repeating: "n", count: 250)
    try makeEarlier(name)
    let kept = try stage(name).commit(replacing: keeps ? Self.keeping : Self.removing)
    try expectNew(name)
    #expect(kept == (keeps ? scratch.path("2026-07-29-1") : nil))
    if keeps { try expectKept("2026-07-29-1") }
    #expect(try scratch.contents() == (keeps ? ["2026-07-29-1", name] : [name]))
  }

  @Test(arguments: [S_IFDIR, S_IFIFO, S_IFLNK])
  func `what is no file and has the name of one is never replaced`(kind: mode_t) throws {
    try makeEarlier()
    unlink(scratch.path("result/table"))
    switch kind {
    case S_IFDIR: try scratch.write("precious", to: "result/table/file")
    case S_IFIFO: mkfifo(scratch.path("result/table"), 0o600)
    default: symlink("notes", scratch.path("result/table"))
    }
    let staged = try stage()
    let error = #expect(throws: FileError.self) { try staged.commit(replacing: Self.removing) }
    let what = kind == S_IFDIR ? "a folder" : kind == S_IFIFO ? "a FIFO" : "a link"
    #expect(error?.description == "\(scratch.path("result/table")): cannot be replaced: it is \(what), not a file")
    #expect(try scratch.text("result/mark") == "old")
    #expect(scratch.kind("result/table") == kind)
  }

  @Test func `a folder with an old file's name that the new result does not have is carried over`() throws {
    try makeEarlier()
    unlink(scratch.path("result/gone"))
    try scratch.write("precious", to: "result/gone/file")
    #expect(try stage().commit(replacing: Self.removing) == nil)
    #expect(try scratch.text("result/gone/file") == "precious")
    #expect(try scratch.text("result/table") == "new")
  }

  @Test func `folders inside are replaced file by file and lose nothing else`() throws {
    for run in ["one", "two"] {
      for name in ["mark", "table", "notes"] { try scratch.write("old", to: "result/\(run)/\(name)") }
    }
    try scratch.write("own", to: "result/plan")
    unlink(scratch.path("result/two/notes"))
    let staged = try StagedFolder(for: scratch.path("result"))
    mkdir("\(staged.path)/one", 0o700)
    try AtomicFile.write(Data("new".utf8), to: "\(staged.path)/one/mark")
    var earlier = Self.removing
    earlier.folders = ["one", "two"]
    #expect(try staged.commit(replacing: earlier) == nil)
    #expect(try scratch.contents("result") == ["one", "plan"])
    #expect(try scratch.contents("result/one") == ["mark", "notes"])
    #expect(try scratch.text("result/one/mark") == "new")
    #expect(try scratch.contents() == ["result"])
  }

  @Test func `what is given up leaves nothing behind`() throws {
    try makeEarlier()
    do {
      let staged = try stage()
      #expect(try scratch.contents(URL(fileURLWithPath: staged.path).lastPathComponent).count == 3)
    }
    #expect(try scratch.contents() == ["result"])
    #expect(try scratch.text("result/table") == "old")
  }
}

// MARK: - Killed in the middle

extension StagedFolderTests {
  private func settle() throws {
    try StagedFolder.settle(scratch.path("result")) { _ in Self.keeping }
  }

  @Test func `a new folder that was not complete is removed`() throws {
    try makeEarlier()
    try scratch.write("", to: ".result.staged-1/.stackbench-staged")
    try scratch.write("new", to: ".result.staged-1/table")
    try scratch.write("", to: "result/.stackbench-staged.staged-2/file")
    try scratch.write("", to: ".result.staged-3/.stackbench-4711-1.partial")
    try settle()
    #expect(try scratch.contents() == ["result"])
    #expect(try scratch.contents("result").count == 6)
    #expect(try scratch.text("result/table") == "old")
  }

  @Test func `a new folder of a process that is at work stays`() throws {
    try makeEarlier()
    let staged = try stage()
    try settle()
    #expect(try staged.commit(replacing: Self.removing) == nil)
    try expectNew()
  }

  @Test(arguments: [0, 1, 2, 3])
  func `a replacement that had begun is finished, however far it had come`(step: Int) throws {
    try makeEarlier()
    try scratch.write("new", to: "new/mark")
    try scratch.write("new", to: "new/table")
    try scratch.write("", to: "new/.stackbench-staged")
    // The steps are those of `commit`: the folders change names, foreign files move over, and the rest is moved aside.
    rename(scratch.path("result"), scratch.path(".result.staged-7"))
    rename(scratch.path("new"), scratch.path("result"))
    if step > 0 { rename(scratch.path(".result.staged-7/notes"), scratch.path("result/notes")) }
    if step > 1 {
      rename(scratch.path(".result.staged-7/inner"), scratch.path("result/inner"))
      let entries = (try FolderEntries(scratch.path(".result.staged-7")), try FolderEntries(scratch.path("result")))
      for name in entries.0.names where name.text == nil { try entries.0.move(name, to: entries.1) }
    }
    if step > 2 { try ResultOrigin(name: "result", number: 3).write(to: scratch.path(".result.staged-7")) }
    try settle()
    try expectNew()
    try expectKept("2026-07-29-1")
    #expect(try scratch.contents() == ["2026-07-29-1", "result"])
  }
}
