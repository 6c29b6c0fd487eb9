import type { Constraint, Node, RangeVar } from 'libpg-query'

/** A table's name, with its schema unless that is `public`. */
export function nameOf(table: RangeVar | undefined): string {
  return qualify(table?.schemaname, table?.relname)
}

/** The same of a name in a list, such as the objects of `drop`. */
export function nameInList(node: Node): string {
  const names = partsOf(node).flatMap((part) => ('String' in part ? [part.String.sval ?? ''] : []))
  return qualify(names.at(-2), names.at(-1))
}

function partsOf(node: Node): Node[] {
  if ('List' in node) return node.List.items ?? []
  if ('ObjectWithArgs' in node) return node.ObjectWithArgs.objname ?? []
  return 'TypeName' in node ? (node.TypeName.names ?? []) : [node]
}

export function constraintOf(node: Node): Constraint {
  return 'Constraint' in node ? node.Constraint : {}
}

/** PostgreSQL's name of a kind in words: `AT_DropColumn` is `drop column`, `CONSTR_CHECK` is `check`. */
export function wordsOf(kind: string): string {
  return kind
    .replace(/^(AT|CONSTR|OBJECT)_/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
}

function qualify(schema: string | undefined, name = ''): string {
  return schema === undefined || schema === '' || schema === 'public' ? name : `${schema}.${name}`
}
