import type { MissingValues } from '../contract/answer-rules.ts'
import type { PayloadType } from '../contract/webhook-config.ts'
import { parseJsonTree, writeJsonTree, type JsonNode } from './json-tree.ts'
import { isKnownPlaceholder, placeholderName } from './placeholders.ts'

/** What a placeholder stands for. `custom.<key>` entries are keyed by that whole name. */
export type PlaceholderValue = string | number | boolean | null
export type PlaceholderValues = Readonly<Record<string, PlaceholderValue | undefined>>

/** A rendered request body. `unknownPlaceholders` are named once each, as written, in order of appearance. */
export interface RenderedPayload {
  contentType: string
  body: string
  unknownPlaceholders: string[]
}

/** A template parsed once and rendered often; see {@link compileTemplate}. */
export interface CompiledTemplate {
  tree: JsonNode
  unknownPlaceholders: string[]
}

// Space around a name is trimmed afterwards: in the pattern it would take cubic time on a template of spaces.
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const ONE_PLACEHOLDER = /^\{\{([^{}]*)\}\}$/

/** Every delivery renders its template, and the result lies in memory for each one in flight, and then in the log. */
const MOST_TEMPLATE_CHARACTERS = 64 * 1024
const MOST_RENDERED_CHARACTERS = 2 * 1024 * 1024
/** The longest text that ingest takes in one field (contract/lead-ingest.ts). */
const LONGEST_VALUE = 5000

const CONTENT_TYPES: Record<PayloadType, string> = {
  JSON: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
}

/**
 * Parses a template's text.
 * @throws JsonSyntaxError when it is not JSON
 */
export function compileTemplate(templateText: string): CompiledTemplate {
  const tree = parseJsonTree(templateText)
  const unknown = new Set<string>()
  visitStrings(tree, (text) => {
    for (const [, inner = ''] of text.matchAll(PLACEHOLDER)) {
      const written = inner.trim()
      if (!isKnownPlaceholder(placeholderName(written))) unknown.add(written)
    }
  })
  return { tree, unknownPlaceholders: [...unknown] }
}

/**
 * Why a template is too large to be saved, previewed or tested; undefined when it is not.
 * @throws JsonSyntaxError when it is not JSON
 */
export function refuseTemplateSize(templateText: string): string | undefined {
  if (templateText.length > MOST_TEMPLATE_CHARACTERS) {
    return `Payload Template is too long (at most ${MOST_TEMPLATE_CHARACTERS.toLocaleString('en-US')} characters)`
  }
  return largestRendering(parseJsonTree(templateText), 0) > MOST_RENDERED_CHARACTERS
    ? 'Payload Template could make too large a payload. Use fewer placeholders, or shorter names.'
    : undefined
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

/**
 * Fills a template in (CONTRACT.md §5). A string that is exactly one placeholder takes the value's JSON type; inside
 * longer text it is text. Values are never read as templates.
 *
 * A placeholder without a value (null, or an unknown name) becomes, by `missingValues`:
 * - `empty`: null where it stands alone (an unknown name: empty text), nothing inside longer text.
 * - `null`: null where it stands alone; longer text is null too once none of its placeholders has a value.
 * - `omit`: as `null`, but the member or array item is left out. Objects and arrays around it stay, if empty.
 *
 * In a FORM null is an empty value (`key=`), and what is omitted has no pair.
 */
export function renderCompiled(
  template: CompiledTemplate,
  payloadType: PayloadType,
  values: PlaceholderValues,
  missingValues: MissingValues = 'empty',
): RenderedPayload {
  const filled = fill(template.tree, values, missingValues) ?? NULL
  return {
    contentType: CONTENT_TYPES[payloadType],
    body: payloadType === 'JSON' ? writeJsonTree(filled) : writeForm(filled),
    unknownPlaceholders: template.unknownPlaceholders,
  }
}

/**
 * {@link compileTemplate} and {@link renderCompiled} in one step, for previews.
 * @throws JsonSyntaxError when the template is not JSON
 */
export function renderPayload(
  templateText: string,
  payloadType: PayloadType,
  values: PlaceholderValues,
  missingValues: MissingValues = 'empty',
): RenderedPayload {
  return renderCompiled(compileTemplate(templateText), payloadType, values, missingValues)
}

const NULL: JsonNode = { kind: 'literal', text: 'null' }

/** Undefined where the node is to be left out. */
function fill(node: JsonNode, values: PlaceholderValues, missing: MissingValues): JsonNode | undefined {
  switch (node.kind) {
    case 'object':
      return {
        kind: 'object',
        members: node.members.flatMap(({ key, value }) => {
          const filled = fill(value, values, missing)
          return filled === undefined ? [] : [{ key, value: filled }]
        }),
      }
    case 'array':
      return { kind: 'array', items: node.items.flatMap((item) => fill(item, values, missing) ?? []) }
    case 'string':
      return fillString(node.value, values, missing)
    case 'literal':
      return node
  }
}

function fillString(text: string, values: PlaceholderValues, missing: MissingValues): JsonNode | undefined {
  if (!text.includes('{{')) return { kind: 'string', value: text }
  const only = ONE_PLACEHOLDER.exec(text)?.[1]
  if (only !== undefined) {
    const name = placeholderName(only.trim())
    const value = lookUp(values, name)
    if (value !== null) return valueNode(value)
    if (missing === 'empty' && !isKnownPlaceholder(name)) return { kind: 'string', value: '' }
    return missing === 'omit' ? undefined : NULL
  }
  let found = 0
  let absent = 0
  const value = text.replaceAll(PLACEHOLDER, (_whole, inner: string) => {
    const part = lookUp(values, placeholderName(inner.trim()))
    if (part === null) absent += 1
    else found += 1
    return String(part ?? '')
  })
  if (missing === 'empty' || found > 0 || absent === 0) return { kind: 'string', value }
  return missing === 'omit' ? undefined : NULL
}

function lookUp(values: PlaceholderValues, name: string): PlaceholderValue {
  return isKnownPlaceholder(name) ? (values[name] ?? null) : null
}

function valueNode(value: PlaceholderValue): JsonNode {
  return typeof value === 'string'
    ? { kind: 'string', value }
    : { kind: 'literal', text: JSON.stringify(value) }
}

/** Flat keys as they are, nested objects as `a.b`, arrays repeat the key; null is empty. */
function writeForm(node: JsonNode): string {
  const form = new URLSearchParams()
  appendForm(form, '', node)
  return form.toString()
}

function appendForm(form: URLSearchParams, key: string, node: JsonNode): void {
  switch (node.kind) {
    case 'object':
      for (const member of node.members) {
        appendForm(form, key === '' ? member.key : `${key}.${member.key}`, member.value)
      }
      return
    case 'array':
      for (const item of node.items) appendForm(form, key, item)
      return
    case 'string':
      form.append(key, node.value)
      return
    case 'literal':
      form.append(key, node.text === 'null' ? '' : node.text)
  }
}

function visitStrings(node: JsonNode, visit: (text: string) => void): void {
  if (node.kind === 'string') visit(node.value)
  if (node.kind === 'array') for (const item of node.items) visitStrings(item, visit)
  if (node.kind === 'object') for (const { value } of node.members) visitStrings(value, visit)
}
