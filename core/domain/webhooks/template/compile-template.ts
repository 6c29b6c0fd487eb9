import { parseJsonTree, type JsonNode } from './json-tree.ts'
import { isKnownPlaceholder, placeholderName } from './placeholders.ts'
import { refuseText } from '../../refuse-text.ts'

/** A template parsed once and rendered often; see {@link compileTemplate}. */
export interface CompiledTemplate {
  tree: TemplateNode
  unknownPlaceholders: string[]
}

/** `name` without its optional prefix; null where it is unknown. */
export interface PlaceholderPart {
  kind: 'placeholder'
  name: string | null
}

/** A template's tree: as JSON's, but its strings are taken apart where they hold placeholders. */
export type TemplateNode =
  | { kind: 'object'; members: Array<{ key: string; value: TemplateNode }> }
  | { kind: 'array'; items: TemplateNode[] }
  | PlaceholderPart
  | { kind: 'text'; parts: Array<string | PlaceholderPart> }
  | { kind: 'fixed'; node: JsonNode }

// Space around a name is trimmed afterwards: in the pattern it would take cubic time on a template of spaces.
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** Every delivery renders its template, and the result lies in memory for each one in flight, and then in the log. */
export const MOST_TEMPLATE_CHARACTERS = 64 * 1024
export const MOST_RENDERED_CHARACTERS = 2 * 1024 * 1024
/** The longest text that ingest takes in one field (core/contract/leads/lead-ingest.ts). */
const LONGEST_VALUE = 5000

/**
 * Parses a template's text.
 * @throws JsonSyntaxError when it is not JSON
 */
export function compileTemplate(templateText: string): CompiledTemplate {
  const unknown = new Set<string>()
  return { tree: takeApart(parseJsonTree(templateText), unknown), unknownPlaceholders: [...unknown] }
}

function takeApart(node: JsonNode, unknown: Set<string>): TemplateNode {
  switch (node.kind) {
    case 'object':
      return {
        kind: 'object',
        members: node.members.map(({ key, value }) => ({ key, value: takeApart(value, unknown) })),
      }
    case 'array':
      return { kind: 'array', items: node.items.map((item) => takeApart(item, unknown)) }
    case 'string':
      return takeTextApart(node.value, unknown) ?? { kind: 'fixed', node }
    case 'literal':
      return { kind: 'fixed', node }
  }
}

function takeTextApart(text: string, unknown: Set<string>): TemplateNode | undefined {
  const parts: Array<string | PlaceholderPart> = []
  let from = 0
  for (const { 0: whole, 1: inner = '', index } of text.matchAll(PLACEHOLDER)) {
    const written = inner.trim()
    const name = placeholderName(written)
    const isKnown = isKnownPlaceholder(name)
    if (!isKnown) unknown.add(written)
    if (index > from) parts.push(text.slice(from, index))
    parts.push({ kind: 'placeholder', name: isKnown ? name : null })
    from = index + whole.length
  }
  if (from === 0) return undefined
  if (from < text.length) parts.push(text.slice(from))
  const [first] = parts
  return parts.length === 1 && typeof first === 'object' ? first : { kind: 'text', parts }
}

/**
 * Why a template cannot be saved, previewed or tested: it is too large, or a text in it cannot be sent; undefined when it can.
 * @throws JsonSyntaxError when it is not JSON
 */
export function refuseTemplate(templateText: string): string | undefined {
  if (templateText.length > MOST_TEMPLATE_CHARACTERS) {
    return `Payload Template is too long (at most ${MOST_TEMPLATE_CHARACTERS.toLocaleString('en-US')} characters)`
  }
  const tree = parseJsonTree(templateText)
  return largestRendering(tree, 0) > MOST_RENDERED_CHARACTERS
    ? 'Payload Template could make too large a payload. Use fewer placeholders, or shorter names.'
    : refuseTextIn(tree)
}

/** Of every member: of a name that stands twice a form sends both, and JSON.parse would show one. */
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

function findFirst<Item>(
  items: readonly Item[],
  refuse: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const reason = refuse(item)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Characters at most, as a form, where each value repeats the whole path to it: that is where little text grows most. */
function largestRendering(node: JsonNode, path: number): number {
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)
  switch (node.kind) {
    case 'object':
      return sum(node.members.map(({ key, value }) => largestRendering(value, path + key.length + 1)))
    case 'array':
      return sum(node.items.map((item) => largestRendering(item, path)))
    case 'string':
      return path + node.value.length + LONGEST_VALUE * (node.value.match(PLACEHOLDER)?.length ?? 0)
    case 'literal':
      return path + node.text.length
  }
}
