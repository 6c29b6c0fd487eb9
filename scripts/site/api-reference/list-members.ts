import type { JsonSchema } from '#server/http/openapi/api-document.ts'
import { asCode } from '../tables/write-table.ts'
import { joinTypes, listTypes } from './describe-type.ts'

/** The places on this page that list a schema's members. An object with many members is listed only once. */
export type ToldMembers = Map<string, string>

/** Below this number the members are listed again: a link would be no shorter. */
const WORTH_A_LINK = 8

interface MemberRow {
  /** one type for each choice that has the member: a `result` is `accepted` in one and `rejected` in another */
  types: string[]
  says: string
}

/**
 * Rows of a table, one for each member at any depth: its path, its type, and its description.
 * @param anchor of the call, for later links
 */
export function listMembers(schema: JsonSchema, told: ToldMembers, anchor: string, io: 'input' | 'output') {
  const rows = new Map<string, MemberRow>()
  const walk = (inner: JsonSchema, prefix: string): void => {
    for (const part of [...(inner.anyOf ?? []), ...(inner.oneOf ?? []), ...(inner.allOf ?? [])])
      walk(part, prefix)
    if (inner.items !== undefined) walk(inner.items, prefix === '' ? '' : `${prefix}[]`)
    if (inner.properties === undefined) return
    const shape = JSON.stringify(inner.properties)
    const known = told.get(shape)
    if (known !== undefined && known !== anchor && prefix !== '') {
      const row = rows.get(prefix.replace(/\[\]$/, ''))
      if (row !== undefined) row.says = `${row.says}. It has the [members above](#${known})`
      return
    }
    if (Object.keys(inner.properties).length >= WORTH_A_LINK && known === undefined) told.set(shape, anchor)
    for (const [name, member] of Object.entries(inner.properties)) {
      const path = prefix === '' ? name : `${prefix}.${name}`
      const isLeftOut = io === 'input' && inner.required?.includes(name) !== true
      const says = `${member.description ?? ''}${isLeftOut ? `. ${describeOmission(member)}` : ''}`
      const row = rows.get(path)
      if (row === undefined) rows.set(path, { types: listTypes(member), says })
      else row.types.push(...listTypes(member))
      walk(member, path)
    }
  }
  walk(schema, '')
  return [...rows].map(([path, { types, says }]) => [asCode(path), joinTypes(types), says])
}

/** The effect of leaving a member or a parameter out. */
export function describeOmission({ default: standard }: JsonSchema): string {
  const isOne = ['string', 'number', 'boolean'].includes(typeof standard) && standard !== ''
  return isOne ? `Default: ${asCode(String(standard))}` : 'Optional'
}

/** The call on this page that has already listed the same members, if any. */
export function findTold({ properties, items }: JsonSchema, told: ToldMembers): string | undefined {
  const shape = properties ?? items?.properties
  return shape === undefined ? undefined : told.get(JSON.stringify(shape))
}
