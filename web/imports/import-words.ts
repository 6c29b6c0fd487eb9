import { INGEST_FIELDS } from '#core/contract/leads/lead-ingest.ts'
import type { Delimiter, Encoding, ImportState, LeadImport } from '#core/contract/imports/lead-import.ts'
import { customFieldOf } from '#core/domain/imports/guess-mapping.ts'
import { words } from '#web/format/words.ts'
import type { Tone } from '#web/ui/show/tone.ts'

export const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1252': 'Windows-1252 (Latin-1)',
  macintosh: 'Mac OS Roman',
}
export const DELIMITER_NAMES: Record<Delimiter, string> = {
  ',': 'Commas',
  ';': 'Semicolons',
  '\t': 'Tabs',
  '|': 'Vertical bars',
}
export const STATES: Record<ImportState, { label: string; tone: Tone }> = {
  uploading: { label: 'Uploading', tone: 'waiting' },
  reading: { label: 'Being read', tone: 'info' },
  ready: { label: 'Ready to map', tone: 'waiting' },
  running: { label: 'Importing', tone: 'info' },
  finished: { label: 'Finished', tone: 'success' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'failure' },
}

/** Lead fields that a cell can fill; `custom` and `utm` are objects. */
export const FIELDS = [...INGEST_FIELDS].filter((field) => field !== 'custom' && field !== 'utm')
const NEEDED = ['name', 'first_name', 'last_name', 'phone', 'email', 'lead_type']

/** Names a field: "utm_source", "Own field “notes”", "First name". */
export function nameField(field: string) {
  if (field.startsWith('utm_')) return field
  return field.startsWith('custom.') ? `Own field “${field.slice('custom.'.length)}”` : words(field)
}

/** Options for a column: the current one, all lead fields, and a custom field. */
export function fieldOptions(column: string, chosen: string) {
  const own = customFieldOf(column)
  const further = [chosen, own].filter(
    (field) => field !== undefined && field !== '' && !FIELDS.includes(field),
  )
  const needed = (field: string) => (NEEDED.includes(field) ? ' *' : '')
  return [
    { value: '', label: 'Not imported' },
    ...[...new Set(further)].map((field = '') => ({ value: field, label: nameField(field) })),
    ...FIELDS.map((field) => ({ value: field, label: nameField(field) + needed(field) })),
  ]
}

/** Says what happens to the leads of a source, after "Rows 2 to 500 become leads of …". */
export function sayWhither({
  owner_user_id,
  auto_assign,
}: {
  owner_user_id: string | null
  auto_assign: boolean
}) {
  if (!auto_assign) return 'kept, not passed on'
  return owner_user_id === null ? 'sold on the market' : 'passed on to its client'
}

/** Index of the step that an import is at. */
export function stepOf({ state }: Pick<LeadImport, 'state'>) {
  if (state === 'uploading' || state === 'reading') return 0
  if (state === 'ready') return 1
  return state === 'running' ? 3 : 4
}
