import { readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'

/** A node of the syntax tree, loosely typed. */
export type SyntaxNode = { type: string } & Record<string, unknown>

/** A `sql<Row>` that a caller executes, or a column expression `sql<T>….as('name')`. */
export interface TypedSql {
  file: string
  /** its beginning, to find it in the file */
  text: string
  /** matches it among statements, with anything in its holes */
  form: RegExp
  row: SyntaxNode
  /** null for a whole statement */
  column: string | null
}

export function parseFile(file: string): SyntaxNode[] {
  const { body } = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', target: 'esnext' })
  return body as unknown as SyntaxNode[]
}

/** Finds every executed or named `sql<…>` of a file, and every statement that is compiled once. */
export function findTypedSql(file: string): TypedSql[] {
  const found: TypedSql[] = []
  walk(parseFile(file), (node) => {
    if (node.type !== 'CallExpression') return
    const compiled = findCompiled(node)
    if (compiled !== undefined)
      found.push({ file, ...describe(compiled.template, true), row: compiled.row, column: null })
    const callee = node['callee'] as SyntaxNode
    const tagged = callee['object'] as SyntaxNode | undefined
    const name = (callee['property'] as SyntaxNode | undefined)?.['value']
    if (callee.type !== 'MemberExpression' || tagged?.type !== 'TaggedTemplateExpression') return
    const row = (tagged['typeParameters'] as { params: SyntaxNode[] } | null)?.params[0]
    if ((tagged['tag'] as SyntaxNode)['value'] !== 'sql' || row === undefined) return
    if (name !== 'execute' && name !== 'as') return
    const [argument] = node['arguments'] as { expression: SyntaxNode }[]
    const column = name === 'as' ? String(argument?.expression['value']) : null
    found.push({ file, ...describe(tagged['template'], column === null), row, column })
  })
  return found
}

/** Returns the template of `compileOnce<Row, …>((value) => sql`…`)`. */
function findCompiled(call: SyntaxNode): { template: unknown; row: SyntaxNode } | undefined {
  if ((call['callee'] as SyntaxNode)['value'] !== 'compileOnce') return undefined
  const row = (call['typeArguments'] as { params: SyntaxNode[] } | null)?.params[0]
  const [made] = call['arguments'] as { expression: SyntaxNode }[]
  const body = made?.expression['body'] as SyntaxNode | undefined
  if (row === undefined || body?.type !== 'TaggedTemplateExpression')
    throw new Error(
      'A statement that is compiled once has no row type, or is made in another form than the others',
    )
  return { template: body['template'], row }
}

function describe(template: unknown, isWhole: boolean): Pick<TypedSql, 'text' | 'form'> {
  const { quasis } = template as { quasis: { cooked: string }[] }
  const parts = quasis.map(({ cooked }) => cooked)
  const form = parts.map(escapePattern).join('[^]*?')
  return {
    text: parts.join('…').trim().replaceAll(/\s+/g, ' ').slice(0, 80),
    form: new RegExp(isWhole ? `^${form}$` : form),
  }
}

function walk(node: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, visit)
  } else if (typeof node === 'object' && node !== null) {
    if ('type' in node) visit(node as SyntaxNode)
    for (const one of Object.values(node)) walk(one, visit)
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
