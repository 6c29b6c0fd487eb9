import { loadModule, parseSync, type Node } from 'libpg-query'

/** PostgreSQL's own parser is WebAssembly, which is loaded once and before the functions below. */
export const loadParser = loadModule

/** The statements in a text. */
export function parse(text: string): Node[] {
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => stmt ?? [])
}

/** Whether a text only reads. */
export function isRead(text: string): boolean {
  const nodes = parse(text)
  return nodes.length > 0 && nodes.every((node) => 'SelectStmt' in node || 'VariableShowStmt' in node)
}
