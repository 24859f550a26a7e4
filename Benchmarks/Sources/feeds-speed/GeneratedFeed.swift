import Foundation
import MachineCore

/// A record of a generated feed.
struct GeneratedItem: Codable {
  var id: Int
  var name: String
  var detail: String
  var category: String
  var price: Double
  var stock: Int
  var isActive: Bool
  var updatedAt: String

  var checksum: Int {
    id &+ name.utf8.count &+ detail.utf8.count &+ category.utf8.count &+ Int(price * 100) &+ stock
      &+ (isActive ? 1 : 0) &+ updatedAt.utf8.count
  }
}

/// A file of a list of generated records, which is deleted with the last reference to it.
final class GeneratedFeed {
  let path: String
  let byteCount: Int

  /// Writes a feed. The same size always gives the same bytes.
  ///
  /// - Parameters:
  ///   - megabytes: The size of the feed in millions of bytes.
  ///   - folder: The folder in which it is written.
  /// - Throws: An error if the file cannot be written.
  init(megabytes: Int, folder: String) throws {
    path = "\(folder)/feeds-speed-\(getpid())-\(megabytes).json"
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
    var random = SeededRandom(seed: 1, stream: "a feed of \(megabytes) MB")
    var text = Data("[".utf8)
    var written = 0
    var index = 0
    while written + text.count < megabytes * 1_000_000 - 2 {
      text.append(contentsOf: (index > 0 ? ",\n" : "\n").utf8)
      text.append(contentsOf: GeneratedFeed.record(index, &random).utf8)
      index += 1
      if text.count > 1 << 20 {
        try file.write(contentsOf: text)
        written += text.count
        text.removeAll(keepingCapacity: true)
      }
    }
    text.append(contentsOf: "\n]\n".utf8)
    try file.write(contentsOf: text)
    try file.close()
    byteCount = written + text.count
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns a record of about 200 bytes.
  private static func record(_ index: Int, _ random: inout SeededRandom) -> String {
    let name = text(&random, count: 2)
    let detail = text(&random, count: 6)
    let price = "\(random.below(10_000)).\(10 + random.below(90))"
    let day = 10 + random.below(18)
    return
      #"{"id":\#(1_000_000 + index),"name":"\#(name)","detail":"\#(detail)","category":"\#(text(&random, count: 1))","#
      + #""price":\#(price),"stock":\#(random.below(5_000)),"isActive":\#(random.below(2) == 1),"#
      + #""updatedAt":"2024-03-\#(day)T08:15:\#(10 + random.below(50))Z"}"#
  }

  private static func text(_ random: inout SeededRandom, count: Int) -> String {
    (0..<count).map { _ in words[random.below(words.count)] }.joined(separator: " ")
  }

  private static let words = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima",
    "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey",
  ]
}
