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
 * without brackets, and `length`, `size` or `count` is the number of its items. Where nothing stands there, `$`, `@` or a name like
 * `$json` in front is the whole answer, `$status` is `status`, and `@odata.id` is one name. Undefined where the path leads nowhere.
 */
export function readJsonPath(root: JsonNode, path: string): JsonNode | undefined {
  const given = path.trim()
  const afterWhole = given.replace(/^(?:[$@](?=[.[]|$)|\$\w+(?=[.[]))/, '')
  for (const names of new Set([given, afterWhole, given.replace(/^\$(?=\w)/, '')])) {
    const node = followNames(root, names)
    if (node !== undefined) return node
  }
  return memberOf(root, given) ?? columnOf(root, given)
}

/** A column like `Ref. No`, which no path can name as it is: full stops divide. */
function columnOf(root: JsonNode, path: string): JsonNode | undefined {
  const bare = (name: string): string => name.replaceAll(/[.\s]+/g, '')
  if (root.kind !== 'object' || bare(path) === '') return undefined
  return root.members.findLast(({ key }) => key.includes('.') && bare(key) === bare(path))?.value
}

function followNames(root: JsonNode, names: string): JsonNode | undefined {
  let node: JsonNode | undefined = root
  for (const [, index, key] of names.matchAll(/\[(\d+)\]|([^.[\]]+)/g)) {
    if (node === undefined) return undefined
    node = index === undefined ? memberOf(node, key ?? '') : itemOf(node, index)
  }
  return node
}

function memberOf(node: JsonNode, key: string): JsonNode | undefined {
  if (node.kind === 'array') return ofArray(node, key)
  // The last one where a key repeats, as JSON.parse chooses.
  if (node.kind !== 'object') return undefined
  const find = (name: string) => node.members.findLast((member) => member.key === name)
  // `Policy No.` is written without its full stop.
  return (find(key) ?? find(`${key}.`))?.value
}

function ofArray(node: JsonNode & { kind: 'array' }, key: string): JsonNode | undefined {
  if (/^(?:length|size|count)$/i.test(key)) return { kind: 'literal', text: String(node.items.length) }
  return /^\d+$/.test(key) ? itemOf(node, key) : undefined
}

function itemOf(node: JsonNode, index: string): JsonNode | undefined {
  return node.kind === 'array' ? node.items[Number(index)] : undefined
}
