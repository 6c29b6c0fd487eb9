import { CUSTOM_LIMITS, INGEST_FIELDS } from '#core/contract/leads/lead-ingest.ts'
import type { ImportMapping } from '#core/contract/imports/lead-import.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { refuseText } from '#core/domain/refuse-text.ts'

const FLAT = /^(?:custom\.|utm_)([A-Za-z0-9][A-Za-z0-9_.-]{0,63})$/
/** These fields are objects in JSON, and a cell is text. */
const WHOLE = new Set(['custom', 'utm'])

/** Finds faults in the mapping of a file's columns, which would otherwise recur in each row. */
export function checkMapping(
  { mapping, constants }: ImportMapping,
  columns: readonly string[],
): FieldError[] {
  if (mapping.length !== columns.length)
    return [{ path: 'mapping', message: `Must say of each of the ${columns.length} columns what it is` }]
  const errors: FieldError[] = []
  const given = new Set<string>()
  function take(path: string, field: string): void {
    if (!isField(field)) errors.push({ path, message: 'Is no field of a lead' })
    else if (given.has(field)) errors.push({ path, message: 'Is given twice' })
    given.add(field)
  }
  for (const [index, field] of mapping.entries()) if (field !== '') take(`mapping.${index}`, field)
  for (const [field, value] of Object.entries(constants)) {
    take(`constants.${field}`, field)
    const message = refuseText(value)
    if (message !== undefined) errors.push({ path: `constants.${field}`, message })
  }
  const has = (...fields: string[]): boolean => fields.some((field) => given.has(field))
  const extras = [...given].filter((field) => FLAT.test(field)).length
  if (extras > CUSTOM_LIMITS.keys)
    errors.push({
      path: 'mapping',
      message: `Holds more than ${CUSTOM_LIMITS.keys} fields of its own and of utm together`,
    })
  if (!has('lead_type'))
    errors.push({ path: 'mapping', message: 'A lead type is required: a column, or one for every row' })
  if (!has('name', 'first_name', 'last_name')) errors.push({ path: 'mapping', message: 'A name is required' })
  if (!has('phone', 'email'))
    errors.push({ path: 'mapping', message: 'A phone number or an e-mail address is required' })
  return errors
}

function isField(field: string): boolean {
  return (INGEST_FIELDS.has(field) && !WHOLE.has(field)) || FLAT.test(field)
}
