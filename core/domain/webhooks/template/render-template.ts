import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import {
  compileTemplate,
  type CompiledTemplate,
  type PlaceholderPart,
  type TemplateNode,
} from './compile-template.ts'
import { writeJsonTree, type JsonNode } from './json-tree.ts'
import { countFormatted, refuseLargePayload } from './payload-size.ts'
import { writeValue, type GivenValue, type PlaceholderValues } from './placeholder-value.ts'

/** A rendered request body. `unknownPlaceholders` are named once each, as written, in order of appearance. */
export interface RenderedPayload {
  contentType: string
  body: string
  /** number of characters that its formats have read */
  formatted: number
  unknownPlaceholders: string[]
}

export const CONTENT_TYPES: Record<PayloadType, string> = {
  JSON: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
}

/**
 * Fills a template in (docs/contract.md §5). A string that is exactly one placeholder takes the value's JSON type;
 * inside longer text it is text. Values are never read as templates. Formats are applied first; their result is the
 * value.
 *
 * A placeholder without a value (null, or an unknown name) becomes, by `missingValues`:
 * - `empty`: null if it stands alone (an unknown name: empty text), nothing inside longer text.
 * - `null`: null if it stands alone; longer text is null too if none of its placeholders has a value.
 * - `omit`: as `null`, but the member or array item is left out. Objects and arrays around it stay, even if empty.
 *
 * In a FORM null is an empty value (`key=`), and an omitted value has no pair.
 * @param largest limit of the body's bytes, and of the characters that its formats may read
 * @throws PayloadTooLargeError
 */
export function renderCompiled(
  template: CompiledTemplate,
  payloadType: PayloadType,
  values: PlaceholderValues,
  missingValues: MissingValues = 'empty',
  largest = Infinity,
): RenderedPayload {
  const formatted = countFormatted(largest)
  const filled =
    fill(template.tree, { values, missing: missingValues, noteFormatted: formatted.note }) ?? NULL
  if (largest < Infinity) refuseLargePayload(filled, payloadType, largest)
  return {
    contentType: CONTENT_TYPES[payloadType],
    body: payloadType === 'JSON' ? writeJsonTree(filled) : writeForm(filled),
    formatted: formatted.count(),
    unknownPlaceholders: template.unknownPlaceholders,
  }
}

/**
 * {@link compileTemplate} and {@link renderCompiled} in one step, for previews.
 * @throws JsonSyntaxError if the template is not JSON
 * @throws PayloadTooLargeError
 */
export function renderPayload(
  templateText: string,
  payloadType: PayloadType,
  values: PlaceholderValues,
  missingValues: MissingValues = 'empty',
  largest = Infinity,
): RenderedPayload {
  return renderCompiled(compileTemplate(templateText), payloadType, values, missingValues, largest)
}

const NULL: JsonNode = { kind: 'literal', text: 'null' }

/** The values with which a template is filled. */
interface Filling {
  values: PlaceholderValues
  missing: MissingValues
  noteFormatted: (characters: number) => void
}

/** Returns undefined if the node is to be left out. */
function fill(node: TemplateNode, filling: Filling): JsonNode | undefined {
  switch (node.kind) {
    case 'object': {
      const members: Array<{ key: string; value: JsonNode }> = []
      for (const { key, value } of node.members) {
        const filled = fill(value, filling)
        if (filled !== undefined) members.push({ key, value: filled })
      }
      return { kind: 'object', members }
    }
    case 'array':
      return { kind: 'array', items: node.items.flatMap((item) => fill(item, filling) ?? []) }
    case 'placeholder': {
      const { missing } = filling
      const value = lookUp(filling, node)
      if (value !== null) return valueNode(value)
      if (missing === 'empty' && node.name === null) return { kind: 'string', value: '' }
      return missing === 'omit' ? undefined : NULL
    }
    case 'text':
      return fillText(node.parts, filling)
    case 'fixed':
      return node.node
  }
}

function fillText(parts: ReadonlyArray<string | PlaceholderPart>, filling: Filling): JsonNode | undefined {
  const { missing } = filling
  let text = ''
  let hasValue = false
  for (const part of parts) {
    const value = typeof part === 'string' ? part : lookUp(filling, part)
    if (typeof part === 'object' && value !== null) hasValue = true
    text += writeValue(value)
  }
  if (missing === 'empty' || hasValue) return { kind: 'string', value: text }
  return missing === 'omit' ? undefined : NULL
}

/**
 * Fills the parts of a text outside of a template. A missing value is empty.
 * @param write encodes each value for its place
 * @returns undefined if it would be longer than `most` characters
 */
export function fillParts(
  parts: ReadonlyArray<string | PlaceholderPart>,
  filling: Pick<Filling, 'values' | 'noteFormatted'>,
  write: (value: string) => string,
  most: number,
): string | undefined {
  let text = ''
  for (const part of parts) {
    text += typeof part === 'string' ? part : write(writeValue(lookUp(filling, part)))
    if (text.length > most) return undefined
  }
  return text
}

function lookUp(
  { values, noteFormatted }: Omit<Filling, 'missing'>,
  { name, apply }: PlaceholderPart,
): GivenValue {
  if (name === null) return null
  const value = values[name] ?? null
  return apply === undefined ? value : apply(value, values, noteFormatted)
}

function valueNode(value: GivenValue): JsonNode {
  return typeof value === 'string'
    ? { kind: 'string', value }
    : { kind: 'literal', text: writeLiteral(value) }
}

function writeLiteral(value: Exclude<GivenValue, string>): string {
  return typeof value === 'object' && value !== null ? value.rawJSON : JSON.stringify(value)
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
