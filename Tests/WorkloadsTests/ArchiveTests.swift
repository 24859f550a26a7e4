import Foundation
import Testing
import Workloads

@Suite struct ArchiveTests {
  @Test(arguments: [0, 200])
  func `a written archive opens with the same content`(_ existingRows: Int) throws {
    try withFolder { folder in
      let written = try WorkloadArchive.write(catalog(existingRows: existingRows), to: folder)
      let opened = try WorkloadArchive(opening: folder)
      #expect(opened.options == catalog(existingRows: existingRows))
      #expect(opened.schema == .catalog)
      #expect(opened.payloads == written.payloads)
      #expect(opened.texts == written.texts)
      #expect(try opened.answer() == written.answer())
      #expect(opened.payloads.count == 10)
    }
  }

  @Test func `the largest seed round-trips through an archive`() throws {
    try withArchive(catalog(rows: 10, seed: .max)) { #expect($0.options.seed == .max) }
  }

  #if os(Linux)
    @Test func `texts are memory-mapped from their files`() throws {
      try withArchive(catalog()) { archive in
        // The archive is in use until its mappings have been looked at.
        let bytes = archive.payload(0)
        // The file is read to its end, because one read returns only a part of it.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let mappings = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        #expect(mappings.contains(archive.folder.appending(path: "payloads.text").path(percentEncoded: false)))
        #expect(bytes.first == UInt8(ascii: "["))
      }
    }
  #endif

  @Test func `a folder without a workload is refused`() throws {
    try withFolder { folder in
      let error = #expect(throws: WorkloadError.self) { try WorkloadArchive(opening: folder) }
      #expect(error?.code == .damagedArchive)
      let message = "workload.json: the workload's file cannot be read: there is no such file"
      #expect(error?.description.hasSuffix(message) == true)
    }
  }

  @Test func `a folder that cannot be written is refused`() {
    let folder = URL(filePath: "/nowhere/at/all")
    let error = #expect(throws: WorkloadError.self) { try WorkloadArchive.write(catalog(rows: 1), to: folder) }
    #expect(error?.description.contains("there is no such file") == true)
    #expect(error?.code == .unwritableFolder)
  }

  @Test(arguments: ["workload.json", "payloads.text", "answer.binary", "deleted.binary", "existing.text"])
  func `a truncated file is refused`(_ name: String) throws {
    try withFolder { folder in
      try WorkloadArchive.write(catalog(), to: folder)
      let file = folder.appending(path: name)
      try Data(contentsOf: file).dropLast(3).write(to: file)
      let error = #expect(throws: WorkloadError.self) { _ = try WorkloadArchive(opening: folder).answer() }
      #expect(error?.code == .damagedArchive)
      #expect(error?.path?.hasSuffix(name) == true)
    }
  }
}
