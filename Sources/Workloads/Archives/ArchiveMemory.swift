import MachineCore

/// The values that were made from a workload and never change, such as its decoded payloads.
///
/// It makes each value once. A workload that is measured on real threads has no memory, and makes each value as often
/// as it is needed.
final class ArchiveMemory: Sendable {
  private let values = Guarded<[String: any Sendable]>([:])
  /// The decoded payloads by their places.
  private let records: Guarded<[[ImportRecord]?]>

  init(payloadCount: Int) {
    records = Guarded(Array(repeating: nil, count: payloadCount))
  }

  func value<Value: Sendable, Failure: Error>(
    named name: String, _ make: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let known = values.withLock({ $0[name] }) as? Value { return known }
    let value = try make()
    values.withLock { $0[name] = value }
    return value
  }

  func records<Failure: Error>(
    of payload: Int, _ decode: () throws(Failure) -> [ImportRecord]
  ) throws(Failure) -> [ImportRecord] {
    if let known = records.withLock({ $0[payload] }) { return known }
    let decoded = try decode()
    records.withLock { $0[payload] = decoded }
    return decoded
  }
}
