import { refuseText } from '../../refuse-text.ts'
import { readPlaceholder } from './formats/read-placeholder.ts'
import { parseJsonTree, type JsonNode } from './json-tree.ts'
import { findUnclosed, refusePlaceholders } from './misplaced-placeholders.ts'
import { PLACEHOLDER } from './placeholders.ts'
import { LEAD_VOCABULARY } from './vocabulary.ts'
import type { Vocabulary } from './formats/format.ts'

/**
 * Limit of a template's length: every delivery renders it, and the result is held in memory for each one in flight, and
 * then in the log.
 */
export const MOST_TEMPLATE_CHARACTERS = 64 * 1024
/** Limit of members and items, at any depth: each takes many times as much memory and time as its characters. */
export const MOST_TEMPLATE_VALUES = 2000
export const MOST_RENDERED_CHARACTERS = 2 * 1024 * 1024
/** The longest text that ingest takes in one field (core/contract/leads/lead-fields.ts). */
const LONGEST_VALUE = 5000
/**
 * One letter may become three in capitals (Unicode SpecialCasing). One letter of a date's form may become a word of
 * nine.
 */
const MOST_GROWTH = 3
const MOST_DATE_GROWTH = 9

/**
 * The reason why a template cannot be saved, previewed or tested: it is too large, or a text in it cannot be sent;
 * undefined if it can.
 * @param vocabulary the names that it may hold: those of leads, unless given
 * @throws JsonSyntaxError if it is not JSON
 */
export function refuseTemplate(
  templateText: string,
  vocabulary: Vocabulary = LEAD_VOCABULARY,
): string | undefined {
  if (templateText.length > MOST_TEMPLATE_CHARACTERS) {
    return `Payload Template is too long (at most ${MOST_TEMPLATE_CHARACTERS.toLocaleString('en-US')} characters)`
  }
  const tree = parseJsonTree(templateText)
  if (countValues(tree) > MOST_TEMPLATE_VALUES) {
    return `Payload Template has too many values (at most ${MOST_TEMPLATE_VALUES.toLocaleString('en-US')})`
  }
  if (largestRendering(tree, 0) > MOST_RENDERED_CHARACTERS)
    return 'Payload Template could make too large a payload. Use fewer placeholders, or shorter names.'
  const fault = findFormatFault(tree, '', vocabulary)
  return (
    refuseTextIn(tree) ??
    refuseNames(tree) ??
    (fault === undefined
      ? undefined
      : `${fault.placeholder} (${describePlace(templateText, fault)}): ${fault.reason}`)
  )
}

/** `line 3, contact.phone`: a template on one line has no line to name. */
function describePlace(templateText: string, { placeholder, path }: FormatFault): string {
  // The first fault is also the first place of its text. Text that JSON escapes in another way is not found.
  const at = templateText.indexOf(JSON.stringify(placeholder).slice(1, -1))
  if (at === -1 || !templateText.includes('\n')) return path
  return `line ${templateText.slice(0, at).split('\n').length}, ${path}`
}

function countValues(node: JsonNode): number {
  const sum = (nodes: readonly JsonNode[]): number =>
    nodes.reduce((total, one) => total + countValues(one), 1)
  switch (node.kind) {
    case 'object':
      return sum(node.members.map(({ value }) => value))
    case 'array':
      return sum(node.items)
    default:
      return 1
  }
}

/** A placeholder whose formats are wrong. */
export interface FormatFault {
  /** as written in the template, with its braces */
  placeholder: string
  /** its place: `contact.phones[0]` */
  path: string
  reason: string
}

/**
 * The first placeholder in the order of the template with wrong formats, or that is not closed; undefined if there is
 * none.
 */
export function findFormatFault(
  node: JsonNode,
  path = '',
  vocabulary: Vocabulary = LEAD_VOCABULARY,
): FormatFault | undefined {
  switch (node.kind) {
    case 'object':
      return findFirst(node.members, ({ key, value }) =>
        findFormatFault(value, path === '' ? key : `${path}.${key}`, vocabulary),
      )
    case 'array':
      return findFirst([...node.items.entries()], ([at, item]) =>
        findFormatFault(item, `${path}[${at}]`, vocabulary),
      )
    case 'string':
      return (
        findFirst([...node.value.matchAll(PLACEHOLDER)], ([placeholder, inner = '']) => {
          const { fault: reason } = readPlaceholder(inner, vocabulary)
          return reason === undefined ? undefined : { placeholder, path, reason }
        }) ?? findOpenFault(node.value, path)
      )
    case 'literal':
      return undefined
  }
}

function findOpenFault(text: string, path: string): FormatFault | undefined {
  const placeholder = findUnclosed(text)
  const reason = `It is not closed. Write ${placeholder ?? ''}}}`
  return placeholder === undefined ? undefined : { placeholder, path, reason }
}

/** Every member is checked: for a repeated name a form sends both, and JSON.parse would return one. */
function refuseTextIn(node: JsonNode): string | undefined {
  switch (node.kind) {
    case 'object':
      return findFirst(node.members, ({ key, value }) => refuseText(key) ?? refuseTextIn(value))
    case 'array':
      return findFirst(node.items, refuseTextIn)
    case 'string':
      return refuseText(node.value)
    case 'literal':
      return undefined
  }
}

/** Names are sent as they stand. */
function refuseNames(node: JsonNode): string | undefined {
  if (node.kind === 'array') return findFirst(node.items, refuseNames)
  if (node.kind !== 'object') return undefined
  return findFirst(node.members, ({ key, value }) => refusePlaceholders(key) ?? refuseNames(value))
}

function findFirst<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Upper limit of characters as a form, in which each value repeats the whole path to it: that is where little text
 * grows most.
 */
function largestRendering(node: JsonNode, path: number): number {
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)
  switch (node.kind) {
    case 'object':
      return sum(node.members.map(({ key, value }) => largestRendering(value, path + key.length + 1)))
    case 'array':
      return sum(node.items.map((item) => largestRendering(item, path)))
    case 'string':
      return path + node.value.length + sum((node.value.match(PLACEHOLDER) ?? []).map(largestValue))
    case 'literal':
      return path + node.text.length
  }
}

function largestValue(placeholder: string): number {
  return placeholder.includes('|')
    ? MOST_GROWTH * (LONGEST_VALUE + MOST_DATE_GROWTH * placeholder.length)
    : LONGEST_VALUE
}
