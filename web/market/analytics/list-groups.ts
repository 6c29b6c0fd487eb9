import type { Analytics } from '#core/contract/market/analytics.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { words } from '#web/format/words.ts'
import type { GroupRow } from './LeadsByGroup.tsx'
import type { ListBehind } from './list-behind.ts'

/** The tables of a period: its leads by state, by type and by source. */
export function listGroups(
  { states, lead_types: types, sources }: Pick<Analytics, 'states' | 'lead_types' | 'sources'>,
  behind: ListBehind,
): { group: string; rows: readonly GroupRow[] }[] {
  const groups = [
    {
      group: 'State',
      rows: states.map(({ state, ...row }) => ({
        ...row,
        key: keyOf(state),
        name: state === null ? 'No state' : (STATE_NAMES[state] ?? state),
        to: state === null ? undefined : behind({ state }),
      })),
    },
    {
      group: 'Type',
      rows: types.map(({ lead_type: type, ...row }) => ({
        ...row,
        key: keyOf(type),
        name: type === null ? 'No type' : words(type),
      })),
    },
    {
      group: 'Source',
      rows: sources.map(({ source, ...row }) => ({
        ...row,
        key: keyOf(source),
        name: source ?? 'No source',
      })),
    },
  ]
  return groups.filter(({ rows }) => rows.length > 0)
}

/** No value has the key of none. */
function keyOf(value: string | null): string {
  return value === null ? 'none' : `=${value}`
}
