/** Letters, apostrophes and dashes that Unicode does not decompose, with the characters that people type for them. */
export const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  ẞ: 'SS',
  ß: 'ss',
  Þ: 'TH',
  þ: 'th',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Ħ: 'H',
  ħ: 'h',
  Ŋ: 'N',
  ŋ: 'n',
  Ŧ: 'T',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʻ: "'",
  ʼ: "'",
  '‛': "'",
  '′': "'",
  '\u2010': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2212': '-',
}
const LETTERS = new RegExp(`[${Object.keys(FOLDED_LETTERS).join('')}]`, 'gu')

/**
 * Folds a text for searching: compatibility characters become plain ones (NFKD), and accents of Latin letters and
 * invisible characters are removed. So 'jose' finds 'José', however it is composed, and "o'brien" finds 'O’Brien'. It
 * does the same as search_text in the database (migrations/20261127050200-search-without-accents.ts), except for upper
 * and lower case.
 */
export function foldText(text: string): string {
  return text
    .replaceAll('´', "'")
    .normalize('NFKD')
    .replaceAll(
      /[\u0300-\u036F\uFE00-\uFE0F\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g,
      '',
    )
    .replaceAll(LETTERS, (letter) => FOLDED_LETTERS[letter] ?? letter)
}
