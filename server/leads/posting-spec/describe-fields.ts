import { z } from 'zod'
import { POSTING_NOTES, type PostingNote } from '#core/contract/leads/posting-notes.ts'
import { leadIngestSchema } from '#core/contract/leads/lead-ingest.ts'
import type { PostingField } from '#core/contract/leads/posting-spec.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'

const TYPES: Readonly<Record<string, PostingField['type']>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
}

/** The members of a field's JSON Schema that are read here. */
const described = z.object({ type: z.string().optional(), maxLength: z.int().optional() })

/**
 * Describes the fields of a posted lead from the schema that judges it, so that the description is always
 * right.
 * @param leadTypes codes
 */
export function describeFields(leadTypes: readonly string[]): PostingField[] {
  const { properties = {} } = z.toJSONSchema(leadIngestSchema, { io: 'output', unrepresentable: 'any' })
  const notes: Readonly<Record<string, PostingNote>> = POSTING_NOTES
  const allowed: Readonly<Record<string, string[]>> = {
    lead_type: [...leadTypes],
    state: Object.keys(STATE_NAMES),
  }
  return Object.entries(notes).map(([name, note]) => {
    const { type = '', maxLength = null } = described.parse(properties[name])
    const kind = TYPES[type] ?? 'object'
    return {
      name,
      says: note.says,
      type: kind,
      required: note.required ?? 'no',
      max_length: maxLength,
      allowed: allowed[name] ?? null,
      example: typeof note.example === 'object' ? { ...note.example } : note.example,
    }
  })
}
