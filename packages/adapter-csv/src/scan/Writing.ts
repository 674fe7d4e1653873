/** Letters other than a to z, where words of the most frequent languages have them. */
const frequent = [
  // German
  "[äöü]|(?<=[a-zäöü])ß",
  // French
  "é|[âô](?=[a-z])|(?<!i)ê(?=[cflmnpqtv])|î(?=[lmntv])|û(?=[celnt])|(?<=^[dms]|q)û(?=r|$)|ç(?=[aouâ])|œ(?=[iu])|^œ(?=n)|(?<=^f)œ(?=t)|(?<=[aeiou])[ëï]|à(?=$)|(?<=^o)ù|è(?=s$|[bcdfglmnpqrstvz]{1,3}u?e)",
  // Spanish
  "(?!^ú(?!l[tc]|[nst]))[éíóú]|(?<!a)á|ñ(?=[aeiouáéíóú])|(?<=g)ü(?=[eéií])",
  // Portuguese
  "(?!^ú(?!l[tc]|[nst]))[éíóú]|(?<!a)á|[âô](?=[a-z])|(?<![áéíóú].*)ê(?=[cflmnx]|ss|s?$)|ã(?=[eo])|(?<=ç|nh|irm)ã(?=s?$)|õ(?=e)|ç(?=[aouáâãéóôõú])|à(?=s?$)",
  // Italian
  "(?<!.*[jkwxy].*)(?:[éà]|(?<![aei])[èò]|(?<=[io])ò|(?<=[dls])ì|(?<=[bgitv]|ss)ù)(?=$)",
  // Dutch
  "[éó]|(?<=[aeiou])[ëïöü]",
  // Danish and Norwegian
  "[åé]|(?<![aeiouyæøå])[æø](?![aeiouyæøå])(?<!^ø(?=r[^eknrs]))",
  // Swedish and Finnish
  "[åäöé]"
].map((letters) => {
  // Danish and Norwegian words have neither w nor z
  const only = letters.startsWith("[åé]|") ? "(?!.*[wz])" : ""
  return new RegExp(`^${only}(?:[a-z]|${letters})+$`, "u")
})

/** Words of one or two letters; other short texts are as often a sign of another encoding. */
const shortWords = /^(?:[àéèóöåøäü]|[dls]à|[a-z]é|[dst]è|[ms]í|sì|tú|él|où|dû|[öøå]l|[fgps]å|år|ær)$/

const others = [
  "[a-zàâæçéèêëîïôœùûüÿ]",
  "[a-záàâãçéêíóôõúüñ]",
  "[a-zàéèìíîòóùú]",
  "[a-zàçéèíïóòúü]",
  "[a-zæøåéèêôòä]",
  "[a-záéíóúýðþæö]",
  "[a-zßäöõüšž]",
  "[a-zçë]",
  "[a-ząćęłńóśźż]",
  "[a-záčďéěíňóřšťúůýž]",
  "[a-záäčďéíĺľňóôŕšťúýž]",
  "[a-záéíóöőúüű]",
  "[a-zăâîșțşţ]",
  "[a-zčćđšž]",
  "[a-zçğıöşüâîû\u0307]",
  "[a-ząčęėįšųūž]",
  "[a-zāčēģīķļņšūž]",
  "[a-zċġħżàèìòù]",
  "[a-zâêîôûŵŷ]",
  "[a-zàáâãèéêìíòóôõùúýăđơưạ-ỹ\u0300\u0301\u0303\u0309\u0323]",
  "[а-яё]",
  "[абвгґдеєжзиіїйклмнопрстуфхцчшщьюя]",
  "[абвгдеёжзійклмнопрстуўфхцчшыьэюя]",
  "[абвгдежзијклмнопрстуфхцчшђљњћџ]",
  "[абвгдежзијклмнопрстуфхцчшѓѕљњќџ]",
  "[α-ωάέήίόύώϊϋΐΰ](?<!ς(?=.))",
  "[א-ת]",
  "[\u0621-\u0652پچژگک]",
  "[ก-ฮเ-ไ][ก-ฮะ-ฺเ-ๅ็-์]*",
  "[가-힣]"
].map((letters) => new RegExp(`^(?:${letters})+$`, "u"))

const charactersOf = (encoding: string, leads: readonly [number, number], trails: readonly [number, number]) => {
  const decoder = new TextDecoder(encoding)
  const found = new Set<string>()
  for (let lead = leads[0]; lead <= leads[1]; lead++)
    for (let trail = trails[0]; trail <= trails[1]; trail++) found.add(decoder.decode(Uint8Array.of(lead, trail)))
  return found
}

let frequentHan: ReadonlyArray<ReadonlySet<string>> | undefined

/** Frequent Chinese and Japanese characters: the first parts of the old national character sets. */
const isHan = (word: string): boolean => {
  frequentHan ??= [
    charactersOf("gbk", [0xb0, 0xd7], [0xa1, 0xfe]),
    charactersOf("big5", [0xa4, 0xc6], [0x40, 0xfe]),
    charactersOf("euc-jp", [0xb0, 0xcf], [0xa1, 0xfe])
  ]
  if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word)) return false
  const characters = Array.from(word.replaceAll(/[\p{sc=Hiragana}\p{sc=Katakana}ー]/gu, ""))
  return frequentHan.some((known) => characters.every((one) => known.has(one)))
}

/** Signs where texts have them, and where a letter of another encoding is not more probable. */
const signs = new RegExp(
  [
    "(?<!\\p{L})(?:[¼½¾](?=(?:[ckm]?[glm]|dl|h|in|lb|oz|pt|t)?(?!\\p{L}))|µ(?=\\p{Lu}?[a-z]?(?!\\p{L})))",
    "(?<=(?<!\\p{L})(?:[cdkm]?m|ft|in|yd)|\\d)[²³]|(?<=\\d)¹",
    "(?<=(?<!\\p{L})[DFMNSdfmns]|\\d)[ºª]|(?<=\\d|(?<!\\p{L})[Nn]?)°(?=[CFKcf]?(?!\\p{L}))",
    "(?<=(?<!\\p{L})\\p{Lu}{0,3})[£¥€¢](?!\\p{L})",
    "(?<=\\p{L})’(?=(?:[sStTdDmMn]|re|ve|ll)(?!\\p{L}))|(?<=[sxz])’(?!\\p{L})|(?<!\\p{L})’[nt]’?(?!\\p{L})",
    "(?<=(?<!\\p{L})(?:[CDJLMNOSTcdjlmnost]|[Qq]u|[DdNnSs]?[AaEeUu]l?l|[Uu]n|[Ss]ant))’(?=\\p{L})",
    "(?:(?<!\\p{L})|(?<=\\p{Lu}|\\p{L}{4}))[®™©](?!\\p{L})|(?<=\\p{L}|\\d)[–—](?=\\p{Lu}|\\d)|(?<![\\p{L}\\d])[¡¿](?=\\p{Lu}\\p{L})",
    "\\xa0(?=\\p{Lu}|\\d|$)|(?<=\\d)\\xa0",
    "(?<!\\p{L})[–—§¶•·†‡±×÷‰№\\xa0](?!\\p{L})"
  ].join("|"),
  "gu"
)

export const built: ReadonlyArray<RegExp> = [...frequent, ...others, signs]

const quotes = /(?<!\p{L})(?:“([^“”]+)”|„([^„“”]+)[“”]|‘([^‘’]+)’|«([^«»]+)»|»([^«»]+)«)(?!\p{L})/gu

export const betweenWords = /[^0-9@-\u{10ffff}]+/u

const words = /[\p{L}\p{M}]+/gu

/** Scripts never mixed in one word; East Asian words have Latin letters too. */
const scripts = [
  /\p{sc=Latin}/u,
  /\p{sc=Cyrillic}/u,
  /\p{sc=Greek}/u,
  /\p{sc=Hebrew}/u,
  /\p{sc=Arabic}/u,
  /\p{sc=Thai}/u
]

const isHigh = (text: string): boolean => /\P{ASCII}/u.test(text)

export const isDamaged = (text: string): boolean => /[\x80-\x9f\ufffd\p{Co}\p{Cn}]/u.test(text)

export const isMixed = (text: string): boolean =>
  (text.replaceAll(/[ªºµ]/g, " ").match(words) ?? []).some(
    (word) => isHigh(word) && scripts.filter((script) => script.test(word)).length > 1
  )

export const isForeign = (text: string): boolean => /[^\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/u.test(text)

export type ScriptFit = 0 | 1 | 2

const fitOfLetters = (word: string): ScriptFit => {
  if (/\p{Ll}\p{Lu}/u.test(word.replaceAll(/[a-z](?=[A-Z])/g, ""))) return 2
  const small = word.normalize("NFC").toLowerCase()
  const isUsual = small.length > 2 ? !/[^a-z]{3}/.test(small) : shortWords.test(small)
  if (isUsual && frequent.some((one) => one.test(small))) return 0
  return others.some((one) => one.test(small)) || isHan(word) ? 1 : 2
}

const fitOfWord = (word: string): ScriptFit => {
  if (!isHigh(word)) return 0
  const rest = word.replaceAll(signs, " ")
  if (/[^\p{ASCII}\p{L}\p{M}]|[ªºµ]/u.test(rest)) return 2
  if (/\d(?!è(?:me|re)?s?\b)[\u0080-\u024f]|[\u0080-\u024f]\d/.test(rest)) return 2
  return Math.max(0, ...(rest.match(words) ?? []).filter(isHigh).map(fitOfLetters)) as ScriptFit
}

export const fitsOf = (text: string): ReadonlyArray<ScriptFit> =>
  text
    .replaceAll(quotes, (pair) => pair.slice(1, -1))
    .split(betweenWords)
    .map(fitOfWord)
