import { parseJsonTree, type JsonNode } from './json-tree.ts'
import type { ApplyFormats, Vocabulary } from './formats/format.ts'
import { readPlaceholder } from './formats/read-placeholder.ts'
import { PLACEHOLDER } from './placeholders.ts'
import { LEAD_VOCABULARY } from './vocabulary.ts'

/** A template parsed once and rendered often; see {@link compileTemplate}. */
export interface CompiledTemplate {
  tree: TemplateNode
  unknownPlaceholders: string[]
}

/** `name` without its optional prefix; null if it is unknown. `apply` applies its formats to its value. */
export interface PlaceholderPart {
  kind: 'placeholder'
  name: string | null
  apply?: ApplyFormats
}

/** A template's tree: like JSON's, but strings with placeholders are split into parts. */
export type TemplateNode =
  | { kind: 'object'; members: Array<{ key: string; value: TemplateNode }> }
  | { kind: 'array'; items: TemplateNode[] }
  | PlaceholderPart
  | { kind: 'text'; parts: Array<string | PlaceholderPart> }
  | { kind: 'fixed'; node: JsonNode }

/**
 * Parses a template's text.
 * @param vocabulary the names that it may hold: those of leads, unless given
 * @throws JsonSyntaxError if it is not JSON
 */
export function compileTemplate(
  templateText: string,
  vocabulary: Vocabulary = LEAD_VOCABULARY,
): CompiledTemplate {
  const words = { vocabulary, unknown: new Set<string>() }
  const tree = takeApart(parseJsonTree(templateText), words)
  return { tree, unknownPlaceholders: [...words.unknown] }
}

/** The names that may be used, and those that were found beside them. */
interface Words {
  vocabulary: Vocabulary
  unknown: Set<string>
}

function takeApart(node: JsonNode, words: Words): TemplateNode {
  switch (node.kind) {
    case 'object':
      return {
        kind: 'object',
        members: node.members.map(({ key, value }) => ({ key, value: takeApart(value, words) })),
      }
    case 'array':
      return { kind: 'array', items: node.items.map((item) => takeApart(item, words)) }
    case 'string':
      return takeTextApart(node.value, words) ?? { kind: 'fixed', node }
    case 'literal':
      return { kind: 'fixed', node }
  }
}

function takeTextApart(text: string, words: Words): TemplateNode | undefined {
  const parts = splitText(text, words)
  if (parts === undefined) return undefined
  const [first] = parts
  return parts.length === 1 && typeof first === 'object' ? first : { kind: 'text', parts }
}

/** The parts of a text outside of a template for leads; undefined if no placeholder is in it. */
export function compileText(text: string): Array<string | PlaceholderPart> | undefined {
  return splitText(text, { vocabulary: LEAD_VOCABULARY, unknown: new Set() })
}

function splitText(
  text: string,
  { vocabulary, unknown }: Words,
): Array<string | PlaceholderPart> | undefined {
  const parts: Array<string | PlaceholderPart> = []
  let from = 0
  for (const { 0: whole, 1: inner = '', index } of text.matchAll(PLACEHOLDER)) {
    const { name, written, apply } = readPlaceholder(inner, vocabulary)
    if (name === null) unknown.add(written)
    if (index > from) parts.push(text.slice(from, index))
    parts.push({ kind: 'placeholder', name, ...(apply === undefined ? {} : { apply }) })
    from = index + whole.length
  }
  if (from === 0) return undefined
  if (from < text.length) parts.push(text.slice(from))
  return parts
}
