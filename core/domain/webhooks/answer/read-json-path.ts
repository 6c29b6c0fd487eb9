import { JsonSyntaxError, parseJsonTree, type JsonNode } from '../template/json-tree.ts'

/** A JSON text as a tree; undefined if it is not JSON, or nested too deeply. */
export function readJson(text: string): JsonNode | undefined {
  try {
    return parseJsonTree(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

/**
 * The value at a path (core/contract/webhooks/json-path.ts): `data.lead_id`, `leads[0].id`. A number also names an item
 * of an array without brackets, and `length`, `size` or `count` is the number of its items. A name that no member has
 * stands for the member that differs only in case, spaces and punctuation: `Policy No` is `Policy No.`, `request id` is
 * `request_id`. If that finds nothing, a leading `$`, `@` or a name like `$json` is the whole answer, and `$status` is
 * `status`. Undefined if the path leads nowhere.
 */
export function readJsonPath(root: JsonNode, path: string): JsonNode | undefined {
  const given = path.trim()
  const afterWhole = given.replace(/^(?:[$@](?=[.[]|$)|\$\w+(?=[.[]))/, '')
  for (const names of new Set([given, afterWhole, given.replace(/^\$(?=\w)/, '')])) {
    const steps = names.match(/\[\d+\]|[^.[\]]+/g) ?? []
    const node = steps.length === 0 && names !== '' ? undefined : follow(root, steps)
    if (node !== undefined) return node
  }
  return undefined
}

/** Parts of one name: a column has a few full stops at most, and each is another way to read the path. */
const MOST_JOINED = 5
const isIndex = (step: string): boolean => /^\[\d+\]$/.test(step)

/** Adjacent names may be one name with full stops: `@odata.id`, `Ref. No`. */
function follow(node: JsonNode, steps: readonly string[]): JsonNode | undefined {
  const [first] = steps
  if (first === undefined) return node
  for (let count = 1; count <= Math.min(steps.length, MOST_JOINED); count += 1) {
    const part = steps.slice(0, count)
    if (count > 1 && part.some((step) => isIndex(step) || bareName(step) === '')) return undefined
    const child = isIndex(first) ? itemOf(node, first.slice(1, -1)) : memberOf(node, part.join('.'))
    const found = child === undefined ? undefined : follow(child, steps.slice(count))
    if (found !== undefined) return found
  }
  return undefined
}

function memberOf(node: JsonNode, key: string): JsonNode | undefined {
  if (node.kind === 'array') return ofArray(node, key)
  if (node.kind !== 'object') return undefined
  // The last one if a key repeats, as with JSON.parse.
  const exact = node.members.findLast((member) => member.key === key)
  if (exact !== undefined) return exact.value
  const bare = bareName(key)
  const alike = node.members.filter((member) => bare !== '' && bareName(member.key) === bare)
  return new Set(alike.map((member) => member.key)).size === 1 ? alike.at(-1)?.value : undefined
}

const bareName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

function ofArray(node: JsonNode & { kind: 'array' }, key: string): JsonNode | undefined {
  if (/^(?:length|size|count)$/i.test(key)) return { kind: 'literal', text: String(node.items.length) }
  return /^\d+$/.test(key) ? itemOf(node, key) : undefined
}

function itemOf(node: JsonNode, index: string): JsonNode | undefined {
  return node.kind === 'array' ? node.items[Number(index)] : undefined
}
