import { JsonSyntaxError, parseJsonTree, type JsonNode } from '../template/json-tree.ts'

/** A JSON text as a tree; undefined where it is not JSON, or nested too deep to be read. */
export function readJson(text: string): JsonNode | undefined {
  try {
    return parseJsonTree(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

/**
 * The value at a path (core/contract/webhooks/json-path.ts): `data.lead_id`, `leads[0].id`. A number names an item of an array also
 * without brackets; `$` or `@` at the beginning is the whole answer, where that has no member of this name. Undefined where the path
 * leads nowhere.
 */
export function readJsonPath(root: JsonNode, path: string): JsonNode | undefined {
  let node: JsonNode | undefined = root
  for (const { 1: index, 2: key, index: at } of path.trim().matchAll(/\[(\d+)\]|([^.[\]]+)/g)) {
    if (at === 0 && (key === '$' || key === '@') && memberOf(root, key) === undefined) continue
    if (node === undefined) return undefined
    node = index === undefined ? memberOf(node, key ?? '') : itemOf(node, index)
  }
  return node
}

function memberOf(node: JsonNode, key: string): JsonNode | undefined {
  if (node.kind === 'array') return /^\d+$/.test(key) ? itemOf(node, key) : undefined
  // The last one where a key repeats, as JSON.parse chooses.
  return node.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined
}

function itemOf(node: JsonNode, index: string): JsonNode | undefined {
  return node.kind === 'array' ? node.items[Number(index)] : undefined
}
