import Foundation

/// What Foundation's JSON decoder says of damaged text, as a sentence and a place.
struct JSONFault {
  var sentence: String
  /// Counted in bytes from 0, where it is known.
  var offset: Int?

  init(_ error: any Error) {
    sentence = "\(error)"
    guard let error = error as? DecodingError else { return }
    switch error {
    case .dataCorrupted(let context): take(context)
    case .keyNotFound(let key, let context):
      sentence = "no member \(key.stringValue)\(JSONFault.place(context.codingPath))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      sentence = context.debugDescription + JSONFault.place(context.codingPath)
    @unknown default: break
    }
  }

  private mutating func take(_ context: DecodingError.Context) {
    sentence = context.debugDescription + JSONFault.place(context.codingPath)
    guard let underlying = context.underlyingError as NSError? else { return }
    if let text = underlying.userInfo["NSDebugDescription"] as? String { sentence = text }
    offset = underlying.userInfo["NSJSONSerializationErrorIndex"] as? Int
  }

  private static func place(_ path: [any CodingKey]) -> String {
    let steps = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }
    return steps.isEmpty ? "" : " at \(steps.joined())"
  }
}
