import MachineCore

/// The remarks and unknown items that collect while one file is read.
final class ReadingNotes {
  /// The file, as errors name it.
  let place: String
  private(set) var remarks: [ModelRemark] = []
  private(set) var unknownItems: [ModelDocument.UnknownItem] = []

  init(place: String) {
    self.place = place
  }

  func remark(_ message: String, line: Int, field: String) {
    remarks.append(ModelRemark(line: line, field: field, message: message))
  }

  func add(_ item: ModelDocument.UnknownItem) { unknownItems.append(item) }

  /// Returns all remarks in the order of their lines, with one for each kind of unknown item.
  func allRemarks() -> [ModelRemark] {
    struct Kind: Hashable {
      var kind: ModelDocument.UnknownItem.Kind
      var parent: String
      var name: String
    }

    var counts: [Kind: Int] = [:]
    var firsts: [(kind: Kind, line: Int)] = []
    for item in unknownItems {
      let kind = Kind(kind: item.kind, parent: item.parent, name: item.name)
      counts[kind, default: 0] += 1
      if counts[kind] == 1 { firsts.append((kind, item.line)) }
    }
    let unknown = firsts.map { kind, line in
      let count = counts[kind] ?? 1
      let name = kind.kind == .text ? "text" : "\(kind.kind.rawValue) \(QuotedText.of(kind.name))"
      let times = count == 1 ? "" : "; it occurs \(count) times"
      return ModelRemark(
        line: line, field: QuotedText.of(kind.parent),
        message: "\(name) is not known and is kept without an effect\(times)")
    }
    let all = (remarks + unknown).enumerated()
    return all.sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
  }
}
