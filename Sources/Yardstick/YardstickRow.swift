/// One imported row: a small object on the heap whose text lies on the heap as well.
final class YardstickRow {
  let key: Int64
  var version: Int64 = 1
  var name: String
  var amount: Double

  init(key: Int64, name: String, amount: Double) {
    self.key = key
    self.name = name
    self.amount = amount
  }
}
