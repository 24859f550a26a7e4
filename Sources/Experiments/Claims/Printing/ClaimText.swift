import Reporting

/// The figure, the condition and the verdict of a claim in words.
struct ClaimText {
  let judged: JudgedClaim
  let experiment: ClaimExperiment?

  /// The figures with their unit: for each group of cases their median, with the least and the greatest value if they
  /// differ.
  var figure: String {
    guard let test = judged.claim.test else { return "" }
    let unit = FigureUnit(of: test.figure)
    let texts = groups.map { group in
      let figures = group.cases.map(\.figure).sorted { $0 < $1 || $1.isNaN && !$0.isNaN }
      let median = figures[(figures.count - 1) / 2]
      var text = Self.number(median, in: unit)
      if let least = figures.first, let most = figures.last, Self.number(least, in: unit) != Self.number(most, in: unit)
      {
        text += " (\(Self.number(least, in: unit)) to \(Self.number(most, in: unit)))"
      }
      return group.name.isEmpty ? text : "\(group.name): \(text)"
    }
    return texts.joined(separator: "; ")
  }

  /// The condition with its unit.
  var condition: String {
    guard let test = judged.claim.test else { return "" }
    return "\(test.condition.comparison.words) "
      + Self.number(test.condition.threshold, in: FigureUnit(of: test.figure))
  }

  /// The number of the cases in which the claim holds, and of all cases, or an empty text if there is no case.
  var share: String {
    judged.cases.isEmpty ? "" : "\(judged.cases.count(where: \.holds)) of \(judged.cases.count)"
  }

  /// The verdict, with the shares of the cases if they disagree.
  var verdict: String {
    switch judged.verdict {
    case .holds, .doesNotHold: return judged.verdict.title
    case .undecidable(let reason): return "\(judged.verdict.title): \(reason)"
    case .depends:
      let shares = groups.map { group in
        let share = "\(group.cases.count(where: \.holds)) of \(group.cases.count)"
        return group.name.isEmpty ? share : "\(share) with \(group.name)"
      }
      return "\(judged.verdict.title) on \(subject): holds on \(shares.joined(separator: ", "))"
    }
  }

  /// The words for what distinguishes the cases that disagree.
  private var subject: String {
    let over = (judged.claim.test?.over ?? []).filter { name in
      Set(judged.cases.map { $0.settings.first { $0.name == name } }).count > 1
    }
    let groups = groups
    let isUniform = groups.allSatisfy { group in Set(group.cases.map(\.holds)).count == 1 }
    let draws = experiment.map { $0.draws > 0 ? "the drawn device" : "the trial" } ?? "the trial"
    guard !over.isEmpty else { return draws }
    return over.map { "the \($0)" }.joined(separator: " and ") + (isUniform ? "" : " and \(draws)")
  }

  private struct Group {
    var name: String
    var cases: [CaseFigure]
  }

  /// The cases with the same settings, in the order of the experiment.
  private var groups: [Group] {
    var groups: [Group] = []
    for element in judged.cases {
      let name = element.settings.map(Self.words).joined(separator: ", ")
      if let place = groups.firstIndex(where: { $0.name == name }) {
        groups[place].cases.append(element)
      } else {
        groups.append(Group(name: name, cases: [element]))
      }
    }
    return groups
  }

  /// Returns the words for a value of a setting. A number needs the name of its setting.
  private static func words(_ setting: SettingValue) -> String {
    Double(setting.value) == nil ? setting.value : "\(setting.name) \(setting.value)"
  }

  private static func number(_ figure: Double, in unit: FigureUnit) -> String {
    if figure.isNaN { return "no value" }
    guard figure.isFinite else {
      if case .setting = unit { return "none" }
      return "infinite"
    }
    // Differences of times have rounding errors, which are far below a microsecond.
    let shown = unit == .milliseconds ? (figure * 1_000).rounded() / 1_000 : figure
    return FigureText.short(shown) + unit.suffix
  }
}
