import { loadModule, parseSync, type Node } from 'libpg-query'

/** PostgreSQL's own parser is WebAssembly, which is loaded once and before the functions below. */
export const loadParser = loadModule

/** The statements in a text. */
export function parse(text: string): Node[] {
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => stmt ?? [])
}

/** Whether a text only reads. A function that it calls is trusted to do the same. */
export function isRead(text: string): boolean {
  const nodes = parse(text)
  return nodes.length > 0 && nodes.every(isReadNode)
}

function isReadNode(node: Node): boolean {
  return 'VariableShowStmt' in node || ('SelectStmt' in node && listWritesWithin(node).length === 0)
}

/** The writes inside of a statement: `with gone as (delete …) select …` only looks like a read. */
export function listWritesWithin(statement: Node): Node[] {
  const writes: Node[] = []
  const [inside] = Object.values(statement) as unknown[]
  const search = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if (['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'].some((kind) => kind in part))
      writes.push(part as Node)
    for (const value of Object.values(part)) search(value)
  }
  search(inside)
  return writes
}
