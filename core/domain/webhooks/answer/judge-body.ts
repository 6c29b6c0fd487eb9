import { decodeHTMLStrict } from 'entities'
import type { Match, Outcome, SuccessRule } from '#core/contract/webhooks/answer-rules.ts'
import type { JsonNode } from '../template/json-tree.ts'
import { readEscapes } from './read-escapes.ts'
import { readJson, readJsonPath } from './read-json-path.ts'

/** The rules by which a configuration reads the body of a 2xx answer. */
export interface AnswerRules {
  successRule: SuccessRule | null
  capturePath: string | null
}

/** The status alone decides. */
export const NO_RULES: AnswerRules = { successRule: null, capturePath: null }

/** The body of an answer as far as it was kept. */
export interface KeptBody {
  body: string | null
  bodyTruncated: boolean
  /** the reason why the text is not what was sent; undefined if it is */
  bodyNote?: string
}

/** A body as people see it: after the note about it. */
export function showBody({ body, bodyNote }: KeptBody): string | null {
  if (bodyNote === undefined) return body
  const note = `[${bodyNote.charAt(0).toUpperCase()}${bodyNote.slice(1)}.]`
  return body === null || body === '' ? note : `${note}\n${body}`
}

/**
 * The result of reading a body. `unclear`: `accepted` is required and was not found; `because` says how the answer
 * differs. `receiverId` is the receiver's id for the lead, if a path to it is given.
 */
export type Judgement =
  | { outcome: 'accepted' | 'duplicate' | null; receiverId: string | null }
  | { outcome: 'rejected' | 'unclear'; because: string }

// Counted in characters (flag u), so that none is cut in half.
export const MOST_ID_CHARACTERS = 200
const RECEIVER_ID = new RegExp(`^.{1,${MOST_ID_CHARACTERS}}`, 'su')
/** `a=b&c=d`, in the form of HTML forms, where a space is a plus. */
const FORM = /^[\w.%+*-]+=[^&\s]*(?:&[\w.%+*-]+=[^&\s]*)*$/
/** Tags of HTML: in a page they may stand between the words of one sentence. */
const TAG = /<\/?([a-z]\w*)[^<>]{0,500}>/gi
const WITHIN_A_LINE =
  /^(?:a|abbr|b|big|cite|code|em|font|i|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|tt|u)$/i
const withoutTags = (page: string): string =>
  // React's server separates texts by comments.
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

/** In lower case, with spaces, quotation marks, dashes and dots as on a keyboard. */
function asTyped(text: string): string {
  return (
    text
      .toLowerCase()
      // The Turkish İ leaves a dot.
      .replaceAll('i\u0307', 'i')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[“”„]/g, '"')
      .replaceAll(/[‘’‚]/g, "'")
      .replaceAll(/[–—]/g, '-')
      .replaceAll('…', '...')
  )
}

/**
 * The body as it is, or with its escapes undone: PHP writes `já` into JSON as `j\u00e1`. Telephones and WordPress write
 * “ok” – … for "ok" - ..., pages break lines in place of a space, and copied text contains characters of no width.
 */
function contains(text: string, wanted: string): boolean {
  const visible = wanted.replaceAll(/^[\u200B\u2060\uFEFF]+|[\u200B\u2060\uFEFF]+$/g, '') || wanted
  // Samples show JSON and XML with spaces between their parts, and answers come without.
  const plain = (written: string): string =>
    asTyped(written).replaceAll(/(?<=[{}[\]:,"])\s+|(?<!\s)\s+(?=[}\]:,])|(?<=>)\s+(?=<)/g, '')
  // A space at an end, which comes with a copied word, marks the end of a word.
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

/** 1 equals 1.0, if the answer has a number. */
function isSameNumber(node: JsonNode | undefined, value: string, wanted: string): boolean {
  return node?.kind === 'literal' && wanted !== '' && Number(value) === Number(wanted)
}

function scalarText(node: JsonNode): string | undefined {
  if (node.kind === 'string') return node.value
  return node.kind === 'literal' ? node.text : undefined
}

/** `[]` and `{}`, in which a rule says that there are no errors. */
function emptyText(node: JsonNode): string | undefined {
  if (node.kind === 'array') return node.items.length === 0 ? '[]' : undefined
  return node.kind === 'object' && node.members.length === 0 ? '{}' : undefined
}

/** Reads only words and numbers: an object, a boolean or null is no id. */
function captureId(tree: JsonNode, path: string): string | null {
  const node = readJsonPath(tree, path)
  const isNumber = node?.kind === 'literal' && !/^[tfn]/.test(node.text)
  if (node === undefined || !(node.kind === 'string' || isNumber)) return null
  // Control characters have no place in a line, and PostgreSQL refuses NUL.
  const id = (scalarText(node) ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()
  return RECEIVER_ID.exec(id)?.[0].toWellFormed() ?? null
}

/** Uses the rule's own words, never the answer's, which may hold personal data. */
function describeMatch(match: Match | undefined): string {
  if (match === undefined) return ''
  if ('contains' in match) return `it contains "${match.contains}"`
  return `"${match.path}" is ${JSON.stringify(match.equals)}`
}

/** Explains why no path can be read in an answer. */
export function explainNoTree({ body, bodyNote, bodyTruncated }: KeptBody): string {
  if (bodyNote !== undefined) return bodyNote
  if ((body ?? '').trim() === '') return 'its body is empty'
  return bodyTruncated && /^\s*["[{]/.test(body ?? '')
    ? 'it is longer than the 16 KiB that are kept, so it cannot be read as JSON'
    : 'it is not JSON, which a path needs'
}

/** Explains how an answer differs from what a part of the rule looks for. */
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
