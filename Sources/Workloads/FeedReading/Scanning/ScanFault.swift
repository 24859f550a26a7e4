/// A reason why a text cannot be scanned.
enum ScanFault: UInt8 {
  case valueExpected
  case nameExpected
  case colonExpected
  case commaOrBracketExpected
  case commaOrBraceExpected
  case commaBeforeBracket
  case commaBeforeBrace
  case superfluousZero
  case digitAfterMinus
  case digitAfterPoint
  case digitInExponent
  case controlCharacter
  case unknownEscape
  case hexadecimalDigits
  case halfSurrogatePair
  case notUTF8
  case tooLarge
  case tooSmall
  case tooDeep
  case tooManyTokens
  case tooManyMembers
  case repeatedName
}

extension ScanFault {
  /// The part of reading that failed.
  var code: FeedError.Code {
    switch self {
    case .tooLarge, .tooSmall, .repeatedName: .value
    case .tooDeep, .tooManyTokens, .tooManyMembers: .limit
    default: .syntax
    }
  }

  /// True if the fault is found between the elements of a list or the members of an object, and not inside of one.
  var isBetweenElements: Bool {
    switch self {
    case .commaOrBracketExpected, .commaOrBraceExpected, .commaBeforeBracket, .commaBeforeBrace, .nameExpected,
      .colonExpected, .repeatedName, .tooManyMembers:
      true
    default: false
    }
  }

  /// Describes the fault.
  ///
  /// - Parameters:
  ///   - quotation: The number or the name that the fault is about, quoted.
  ///   - maxTokenCount: The largest number of values and names in a record.
  /// - Returns: The sentence.
  func sentence(_ quotation: @autoclosure () -> String, maxTokenCount: Int) -> String {
    switch self {
    case .valueExpected: "a value is expected"
    case .nameExpected: "a name in double quotes is expected"
    case .colonExpected: "a colon is expected"
    case .commaOrBracketExpected: "a comma or a closing bracket is expected"
    case .commaOrBraceExpected: "a comma or a closing brace is expected"
    case .commaBeforeBracket: "there is a comma before the closing bracket"
    case .commaBeforeBrace: "there is a comma before the closing brace"
    case .superfluousZero: "a number begins with a superfluous zero"
    case .digitAfterMinus: "a digit is expected after the minus sign"
    case .digitAfterPoint: "a digit is expected after the decimal point"
    case .digitInExponent: "a digit is expected in the exponent"
    case .controlCharacter: "a string holds a control character; escape it"
    case .unknownEscape: #"a backslash is followed by none of "\/bfnrtu"#
    case .hexadecimalDigits: "four hexadecimal digits are expected after \\u"
    case .halfSurrogatePair: "an escape is half of a surrogate pair"
    case .notUTF8: "a string is not UTF-8"
    case .tooLarge: "\(quotation()) is too large for a double; use at most \(Double.greatestFiniteMagnitude)"
    case .tooSmall: "\(quotation()) is too small for a double; use 0 or at least \(Double.leastNonzeroMagnitude)"
    case .tooDeep: "lists and objects are nested more than \(FeedLimits.maxDepth) deep"
    case .tooManyTokens:
      "a record has more than \(maxTokenCount) values and names; use fewer, or a larger limit for records"
    case .tooManyMembers: "an object has more than \(FeedLimits.maxMemberCount) members"
    case .repeatedName: "an object has two members \(quotation())"
    }
  }
}
