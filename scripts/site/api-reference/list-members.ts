import type { JsonSchema } from '#server/http/openapi/api-document.ts'
import { asCode } from '../tables/write-table.ts'
import { describeType } from './describe-type.ts'

/** Where the members of a schema are told on this page already: an object of many members is told once. */
export type ToldMembers = Map<string, string>

/** Fewer are told again: a link would be no shorter. */
const WORTH_A_LINK = 8

/**
 * Rows of a table, one for each member at any depth: its path, its type, and what it says.
 * @param anchor of the call, for those that come later
 */
export function listMembers(schema: JsonSchema, told: ToldMembers, anchor: string, io: 'input' | 'output') {
  const rows = new Map<string, string[]>()
  const walk = (inner: JsonSchema, prefix: string): void => {
    for (const part of [...(inner.anyOf ?? []), ...(inner.oneOf ?? []), ...(inner.allOf ?? [])])
      walk(part, prefix)
    if (inner.items !== undefined) walk(inner.items, prefix === '' ? '' : `${prefix}[]`)
    if (inner.properties === undefined) return
    const shape = JSON.stringify(inner.properties)
    const known = told.get(shape)
    if (known !== undefined && known !== anchor && prefix !== '') {
      const row = rows.get(prefix.replace(/\[\]$/, ''))
      if (row !== undefined) row[2] = `${row[2] ?? ''}. Its members: [as above](#${known})`
      return
    }
    if (Object.keys(inner.properties).length >= WORTH_A_LINK && known === undefined) told.set(shape, anchor)
    for (const [name, member] of Object.entries(inner.properties)) {
      const path = prefix === '' ? name : `${prefix}.${name}`
      const isLeftOut = io === 'input' && inner.required?.includes(name) !== true
      const says = `${member.description ?? ''}${isLeftOut ? '. May be left out' : ''}`
      if (!rows.has(path)) rows.set(path, [asCode(path), describeType(member), says])
      walk(member, path)
    }
  }
  walk(schema, '')
  return [...rows.values()]
}

/** The call on this page that has told the same members, where one has. */
export function findTold({ properties, items }: JsonSchema, told: ToldMembers): string | undefined {
  const shape = properties ?? items?.properties
  return shape === undefined ? undefined : told.get(JSON.stringify(shape))
}
