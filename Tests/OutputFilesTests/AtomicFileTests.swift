import Foundation
import TestSupport
import Testing

@testable import OutputFiles

@Suite struct AtomicFileTests {
  private let scratch: FilesScratch

  init() throws {
    scratch = try FilesScratch()
  }

  private func write(_ text: String, to name: String) throws {
    try AtomicFile.write(Data(text.utf8), to: scratch.path(name))
  }

  private func message(_ name: String) -> String? {
    #expect(throws: FileError.self) { try write("new", to: name) }?.message
  }

  // MARK: Links

  @Test func `a link stays, and the file that it leads to is replaced`() throws {
    try scratch.write("old", to: "folder/file")
    symlink("folder/file", scratch.path("near"))
    symlink(scratch.path("near"), scratch.path("far"))
    try write("new", to: "far")
    #expect(try scratch.text("folder/file") == "new")
    #expect(scratch.kind("folder/file") == S_IFREG)
    #expect(scratch.kind("near") == S_IFLNK && scratch.kind("far") == S_IFLNK)
    #expect(try scratch.contents() == ["far", "folder", "near"])
    #expect(try scratch.contents("folder") == ["file"])
  }

  @Test func `a link to a file that is not there makes the file`() throws {
    symlink("file", scratch.path("link"))
    try write("new", to: "link")
    #expect(try scratch.text("file") == "new")
    #expect(scratch.kind("link") == S_IFLNK)
  }

  @Test func `links that lead to each other are one line`() throws {
    symlink("b", scratch.path("a"))
    symlink("a", scratch.path("b"))
    #expect(message("a") == "cannot be written: Too many levels of symbolic links")
  }

  // MARK: What is no file

  @Test func `a FIFO gets the contents and stays`() async throws {
    #expect(mkfifo(scratch.path("fifo"), 0o600) == 0)
    let path = scratch.path("fifo")
    let text = String(repeating: "long ", count: 50_000)
    async let read = Task.detached { try FileHandle(forReadingAtPath: path)?.readToEnd() }.value
    try await Task.detached { try AtomicFile.write(Data(text.utf8), to: path) }.value
    #expect(try await read == Data(text.utf8))
    #expect(scratch.kind("fifo") == S_IFIFO)
    #expect(try scratch.contents() == ["fifo"])
  }

  @Test func `a FIFO whose reader goes is one line`() throws {
    #expect(mkfifo(scratch.path("fifo"), 0o600) == 0)
    let reader = Thread { [path = scratch.path("fifo")] in
      let descriptor = open(path, O_RDONLY)
      var byte: UInt8 = 0
      _ = read(descriptor, &byte, 1)
      close(descriptor)
    }
    reader.start()
    let error = #expect(throws: FileError.self) {
      // The data exceeds the capacity of a pipe.
      try AtomicFile.write(Data(count: 1 << 20), to: scratch.path("fifo"))
    }
    #expect(error?.message == "cannot be written: Broken pipe")
  }

  @Test(.enabled(if: FilesScratch.canMakeDevices, "this user cannot make device nodes"))
  func `a device is written to and stays`() throws {
    #expect(mknod(scratch.path("null"), S_IFCHR | 0o666, FilesScratch.nullDevice) == 0)
    symlink("null", scratch.path("link"))
    try write("new", to: "null")
    try write("new", to: "link")
    #expect(scratch.kind("null") == S_IFCHR && scratch.kind("link") == S_IFLNK)
    #expect(try scratch.contents() == ["link", "null"])
  }

  @Test func `a descriptor of the process is written to where it stands`() throws {
    try scratch.write("first, ", to: "file")
    let descriptor = open(scratch.path("file"), O_WRONLY | O_APPEND)
    defer { close(descriptor) }
    symlink("/proc/self/fd/\(descriptor)", scratch.path("link"))
    try write("then this", to: "link")
    #expect(try scratch.text("file") == "first, then this")
    #expect(scratch.kind("link") == S_IFLNK)
    #expect(try scratch.contents() == ["file", "link"])
  }

  @Test func `a file that nobody may write is refused and keeps its contents`() throws {
    try scratch.write("old", to: "file")
    chmod(scratch.path("file"), 0o444)
    #expect(
      message("file")
        == "cannot be written: it is read-only for everybody; allow writing with chmod, or use another path")
    #expect(try scratch.text("file") == "old" && scratch.contents() == ["file"])
    chmod(scratch.path("file"), 0o464)
    try write("new", to: "file")
    #expect(try scratch.text("file") == "new")
  }

  @Test func `a folder and a socket are refused`() throws {
    try scratch.write("", to: "folder/file")
    #expect(message("folder") == "cannot be written: Is a directory")
    #expect(message("none/file") == "cannot be written: No such file or directory")
    #expect(mknod(scratch.path("socket"), S_IFSOCK | 0o600, 0) == 0)
    #expect(message("socket") == "cannot be written: it is a socket")
  }

  // MARK: Staging

  @Test func `nothing is replaced before the commit, and nothing is left of what is given up`() throws {
    try scratch.write("old", to: "file")
    var file: AtomicFile? = try AtomicFile(staging: Data("new".utf8), for: scratch.path("file"))
    #expect(try scratch.contents().count == 2)
    #expect(try scratch.text("file") == "old")
    #expect(file != nil)
    file = nil
    #expect(try scratch.contents() == ["file"])
    #expect(try scratch.text("file") == "old")
  }

  @Test func `what killed processes staged is removed, and what is being staged is not`() throws {
    for name in [".stackbench-4711-1.partial", ".trials.csv.4711.partial", ".probe.4711.partial"] {
      try scratch.write("half", to: name)
    }
    for name in ["mine.partial", ".mine.partial", ".mine.4711.partial", "trials.csv"] {
      try scratch.write("own", to: name)
    }
    let file = try AtomicFile(staging: Data("new".utf8), for: scratch.path("file"))
    AtomicFile.removeAbandoned(in: scratch.path)
    try file.commit()
    #expect(try scratch.contents() == [".mine.4711.partial", ".mine.partial", "file", "mine.partial", "trials.csv"])
    #expect(try scratch.text("file") == "new")
  }
}
