import Testing

@testable import TrialProcesses

@Suite struct FileSystemTests {
  private let mounts = """
    22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
    23 22 0:21 / /tmp rw,nosuid - tmpfs tmpfs rw
    24 22 0:30 / /home rw - btrfs /dev/vdb rw
    25 24 0:31 / /home/a\\040b rw master:2 propagate_from:3 - xfs /dev/vdc rw
    26 22 0:32 / /tmp/disk rw - ramfs none rw
    27 22 0:33 / /home rw - overlay overlay rw
    """

  @Test(arguments: [
    ("/", "ext4"), ("/usr/lib", "ext4"), ("/tmp", "tmpfs"), ("/tmp/x", "tmpfs"), ("/tmpx", "ext4"),
    ("/home/a b/c", "xfs"), ("/tmp/disk/y", "ramfs"), ("/home/a", "overlay"),
  ])
  func `the file system of a folder is that of the innermost mount`(path: String, name: String) {
    #expect(FileSystem(of: path, mounts: mounts).name == name)
  }

  @Test func `isInMemory is true for tmpfs and ramfs only`() {
    #expect(FileSystem(of: "/tmp", mounts: mounts).isInMemory)
    #expect(FileSystem(of: "/tmp/disk", mounts: mounts).isInMemory)
    #expect(!FileSystem(of: "/", mounts: mounts).isInMemory)
  }

  @Test func `a missing folder throws an error`() {
    #expect(throws: RunFailure.self) { try FileSystem(of: "/no/such/folder") }
  }
}
