import { decodeHTMLStrict } from 'entities'
import type { Match, Outcome, SuccessRule } from '#core/contract/webhooks/answer-rules.ts'
import type { JsonNode } from '../template/json-tree.ts'
import { readEscapes } from './read-escapes.ts'
import { readJson, readJsonPath } from './read-json-path.ts'

/** How a configuration wants a 2xx answer's body read. */
export interface AnswerRules {
  successRule: SuccessRule | null
  capturePath: string | null
}

/** The body of an answer as far as it was kept. */
export interface KeptBody {
  body: string | null
  bodyTruncated: boolean
  /** why the text is not what was sent; undefined where it is */
  bodyNote?: string
}

/** A body as it is shown to people: behind what is to be said of it. */
export function showBody({ body, bodyNote }: KeptBody): string | null {
  if (bodyNote === undefined) return body
  const note = `[${bodyNote.charAt(0).toUpperCase()}${bodyNote.slice(1)}.]`
  return body === null || body === '' ? note : `${note}\n${body}`
}

/**
 * What the body says. `unclear`: `accepted` is demanded and not found; `because` says how the answer fell short.
 * `receiverId` is the id that the receiver gave the lead, where a path to it is known.
 */
export type Judgement =
  | { outcome: 'accepted' | 'duplicate' | null; receiverId: string | null }
  | { outcome: 'rejected' | 'unclear'; because: string }

// Counted in characters (flag u), so that none is cut in half.
export const MOST_ID_CHARACTERS = 200
const RECEIVER_ID = new RegExp(`^.{1,${MOST_ID_CHARACTERS}}`, 'su')
/** `a=b&c=d`, as forms are written: a blank is a plus there. */
const FORM = /^[\w.%+*-]+=[^&\s]*(?:&[\w.%+*-]+=[^&\s]*)*$/
/** Tags of HTML: a page sets off words that are read as one sentence, within a line or by lines. */
const TAG = /<\/?([a-z]\w*)[^<>]{0,500}>/gi
const WITHIN_A_LINE =
  /^(?:a|abbr|b|big|cite|code|em|font|i|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|tt|u)$/i
const withoutTags = (page: string): string =>
  // React's server parts texts by comments.
  page
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(TAG, (_tag, name: string) => (WITHIN_A_LINE.test(name) ? '' : ' '))
/** Characters that mean something in a pattern. */
const SYNTAX = /[$()*+.?[\\\]^{|}]/g
/** The order matters: "not stored: duplicate" is a duplicate, and an answer may say both success and duplicate. */
export const ORDER: readonly Outcome[] = ['duplicate', 'rejected', 'accepted']

/** Reads a 2xx answer's body. Never throws, whatever the body is. */
export function judgeBody({ successRule, capturePath }: AnswerRules, kept: KeptBody): Judgement {
  const text = kept.body ?? ''
  const needsJson = capturePath !== null || matchesOf(successRule).some((match) => 'path' in match)
  const tree = needsJson ? readJson(text) : undefined
  const found = ORDER.find((outcome) => {
    const match = successRule?.[outcome]
    return match !== undefined && isMatch(match, text, tree)
  })
  if (found === 'rejected') return { outcome: found, because: describeMatch(successRule?.rejected) }
  if (found === undefined && successRule?.accepted !== undefined) {
    return { outcome: 'unclear', because: explainMismatch(successRule.accepted, kept, tree) }
  }
  const receiverId = capturePath === null || tree === undefined ? null : captureId(tree, capturePath)
  return { outcome: successRule === null ? null : (found ?? 'accepted'), receiverId }
}

function matchesOf(rule: SuccessRule | null): Match[] {
  return Object.values(rule ?? {}).filter((match) => match !== undefined)
}

export function isMatch(match: Match, text: string, tree: JsonNode | undefined): boolean {
  if ('contains' in match) return contains(text, match.contains)
  const node = tree === undefined ? undefined : readJsonPath(tree, match.path)
  const value = node === undefined ? undefined : (scalarText(node) ?? emptyText(node))
  if (value === undefined) return false
  const wanted = String(match.equals)
    .trim()
    .replace(/^([[{])\s+([\]}])$/, '$1$2')
  return asTyped(value.trim()) === asTyped(wanted) || isSameNumber(node, value, wanted)
}

/** In small letters, with blanks, quotation marks, dashes and dots as a keyboard has them. */
function asTyped(text: string): string {
  return (
    text
      .toLowerCase()
      // A dot is left of the Turkish İ.
      .replaceAll('i\u0307', 'i')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[“”„]/g, '"')
      .replaceAll(/[‘’‚]/g, "'")
      .replaceAll(/[–—]/g, '-')
      .replaceAll('…', '...')
  )
}

/**
 * As the body stands, or with its escapes undone: PHP writes `já` into JSON as `j\u00e1`. Telephones and WordPress write “ok” – … where
 * "ok" - ... is typed, pages break their lines where one blank is seen, and what has no width comes with a copied text.
 */
function contains(text: string, wanted: string): boolean {
  const visible = wanted.replaceAll(/^[\u200B\u2060\uFEFF]+|[\u200B\u2060\uFEFF]+$/g, '') || wanted
  // Samples show JSON and XML with blanks between their parts, and answers come without.
  const plain = (written: string): string =>
    asTyped(written).replaceAll(/(?<=[{}[\]:,"])\s+|(?<!\s)\s+(?=[}\]:,])|(?<=>)\s+(?=<)/g, '')
  // A blank at an end, as it comes with a copied word, is the end of a word.
  const [, before = '', words = visible, after = ''] = /^(\s*)(\S(?:.*\S)?)(\s*)$/su.exec(visible) ?? []
  const begin = before !== '' && /^[\p{L}\p{N}_]/u.test(words) ? String.raw`(?<![\p{L}\p{N}_])` : ''
  const end = after !== '' && /[\p{L}\p{N}_]$/u.test(words) ? String.raw`(?![\p{L}\p{N}_])` : ''
  const form = new RegExp(begin + plain(words).replaceAll(SYNTAX, String.raw`\$&`) + end, 'u')
  const has = (where: string): boolean => form.test(plain(where))
  const written = FORM.test(text) ? text.replaceAll('+', ' ') : text
  if (has(text) || has(written)) return true
  const read = readEscapes(written)?.readable ?? written
  const page = /&[a-z]/i.test(read) ? decodeHTMLStrict(read) : read
  return has(page) || has(withoutTags(page))
}

/** 1 and 1.0, where the answer has a number. */
function isSameNumber(node: JsonNode | undefined, value: string, wanted: string): boolean {
  return node?.kind === 'literal' && wanted !== '' && Number(value) === Number(wanted)
}

function scalarText(node: JsonNode): string | undefined {
  if (node.kind === 'string') return node.value
  return node.kind === 'literal' ? node.text : undefined
}

/** `[]` and `{}`, as a rule says that there are no errors. */
function emptyText(node: JsonNode): string | undefined {
  if (node.kind === 'array') return node.items.length === 0 ? '[]' : undefined
  return node.kind === 'object' && node.members.length === 0 ? '{}' : undefined
}

/** Words and numbers only: an id that is an object, a truth value or null is none. */
function captureId(tree: JsonNode, path: string): string | null {
  const node = readJsonPath(tree, path)
  const isNumber = node?.kind === 'literal' && !/^[tfn]/.test(node.text)
  if (node === undefined || !(node.kind === 'string' || isNumber)) return null
  // Control characters have no place on a line, and PostgreSQL refuses NUL.
  const id = (scalarText(node) ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()
  return RECEIVER_ID.exec(id)?.[0].toWellFormed() ?? null
}

/** The rule's own words, never the answer's: that may hold personal data. */
function describeMatch(match: Match | undefined): string {
  if (match === undefined) return ''
  if ('contains' in match) return `it contains "${match.contains}"`
  return `"${match.path}" is ${JSON.stringify(match.equals)}`
}

/** Why no path leads anywhere in an answer. */
export function explainNoTree({ body, bodyNote, bodyTruncated }: KeptBody): string {
  if (bodyNote !== undefined) return bodyNote
  if ((body ?? '').trim() === '') return 'its body is empty'
  return bodyTruncated && /^\s*["[{]/.test(body ?? '')
    ? 'it is longer than the 16 KiB that are kept, so it cannot be read as JSON'
    : 'it is not JSON, which a path needs'
}

/** How an answer falls short of what a part of the rule looks for. */
export function explainMismatch(match: Match, kept: KeptBody, tree: JsonNode | undefined): string {
  if (kept.bodyNote !== undefined || (kept.body ?? '').trim() === '') return explainNoTree(kept)
  if ('contains' in match) {
    const where = kept.bodyTruncated ? 'its first 16 KiB do' : 'it does'
    return `${where} not contain "${match.contains}"`
  }
  if (tree === undefined) return explainNoTree(kept)
  return readJsonPath(tree, match.path) === undefined
    ? `it has no "${match.path}"`
    : `"${match.path}" is not ${JSON.stringify(match.equals)}`
}
