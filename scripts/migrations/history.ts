import type { AlterTableCmd, Node } from 'libpg-query'
import type { Known } from './judge-statement.ts'
import { parse } from './parse.ts'
import { nameOf } from './read-node.ts'

/** Keeps what earlier statements made, for a lint, which has no database to ask. */
export class History implements Known {
  readonly #tableOf = new Map<string, string>()
  readonly #columnOf = new Map<string, string>()
  readonly #neverNull = new Set<string>()

  note(statement: string): void {
    for (const node of parse(statement)) this.#noteNode(node)
  }

  #noteNode(node: Node): void {
    if ('IndexStmt' in node) this.#tableOf.set(node.IndexStmt.idxname ?? '', nameOf(node.IndexStmt.relation))
    if (!('AlterTableStmt' in node)) return
    const table = nameOf(node.AlterTableStmt.relation)
    for (const command of node.AlterTableStmt.cmds ?? [])
      if ('AlterTableCmd' in command) this.#noteCommand(table, command.AlterTableCmd)
  }

  #noteCommand(table: string, { subtype, name = '', def }: AlterTableCmd): void {
    if (subtype === 'AT_AddConstraint' && def !== undefined && 'Constraint' in def) {
      const column = notNullColumn(def.Constraint.raw_expr)
      if (column !== undefined) this.#columnOf.set(`${table} ${def.Constraint.conname}`, `${table} ${column}`)
    }
    const checked = this.#columnOf.get(`${table} ${name}`)
    if (subtype === 'AT_ValidateConstraint' && checked !== undefined) this.#neverNull.add(checked)
  }

  tableOfIndex = (index: string): string | undefined => this.#tableOf.get(index.split('.').at(-1) ?? index)
  isNeverNull = (table: string, column: string): boolean => this.#neverNull.has(`${table} ${column}`)
  /** Rules about large tables name these, and what is taken away may be of any table. */
  isExisting = (): boolean => true
}

/** The column of `column is not null`. */
function notNullColumn(expression: Node | undefined): string | undefined {
  if (expression === undefined || !('NullTest' in expression)) return undefined
  const { nulltesttype, arg } = expression.NullTest
  if (nulltesttype !== 'IS_NOT_NULL' || arg === undefined || !('ColumnRef' in arg)) return undefined
  const last = arg.ColumnRef.fields?.at(-1)
  return last !== undefined && 'String' in last ? last.String.sval : undefined
}
