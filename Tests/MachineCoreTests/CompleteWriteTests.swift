import Glibc
import MachineCore
import Testing

@Suite struct CompleteWriteTests {
  @Test func `calls that write a part or are interrupted are repeated until all is written`() {
    let bytes = [UInt8](0..<100)
    var written: [UInt8] = []
    var callCount = 0
    let code = CompleteWrite.write(bytes) { start, count in
      callCount += 1
      guard !callCount.isMultiple(of: 2) else {
        errno = EINTR
        return -1
      }
      let part = UnsafeRawBufferPointer(start: start, count: min(7, count))
      written += part
      return part.count
    }
    #expect(code == 0 && written == bytes)
  }

  @Test(arguments: [(-1, EFBIG), (0, ENOSPC)])
  func `a call that writes nothing ends with its reason`(result: Int, code: CInt) {
    var rest = [3, result]
    let ended = CompleteWrite.write([1, 2, 3, 4, 5] as [UInt8]) { _, _ in
      errno = code
      return rest.removeFirst()
    }
    #expect(ended == code && rest.isEmpty)
  }
}
