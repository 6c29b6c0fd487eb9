import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { appendPart } from '#core/data/imports/import-parts.ts'
import { insertImport, startImport } from '#core/data/imports/lead-imports.ts'
import { insertSource } from '#core/data/leads/sources/sources.ts'
import type { Database } from '#core/data/schema/tables.ts'

/** The mapping of the columns of {@link writeLeads}. */
const MAPPED = {
  mapping: ['external_id', 'first_name', 'last_name', 'email', 'state'],
  constants: { lead_type: 'final_expense' },
}

/** A file with this many leads; one row in ten is no lead. */
export function writeLeads(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const email = at % 10 === 9 ? 'no address' : `lead-${at}@example.com`
    return `row-${at},Rosa,"Example, ${at}",${email},CA`
  })
  return `Lead ID,First Name,Last Name,Email,State\n${rows.join('\n')}\n`
}

/** Creates an import with all of its bytes. Its source names the client, or sells to the market. */
export async function givenImport(
  db: Kysely<Database>,
  text: string,
  { owner, by }: { owner: string | null; by: string },
): Promise<{ id: string; source_id: string; start: () => Promise<boolean> }> {
  const { id: source_id } = await insertSource(db, {
    name: 'Example source',
    owner_user_id: owner,
    auto_assign: true,
    api_key_hash: createHash('sha256').update(randomUUID()).digest(),
    api_key_prefix: 'example',
    created_by: by,
  })
  const bytes = Buffer.from(text)
  const given = { source_id, file_name: 'leads.csv', size: bytes.length, created_by: by }
  const id = await insertImport(db, given)
  for (let at = 0; at < bytes.length; at += 1_000_000)
    await appendPart(db, id, at, bytes.subarray(at, at + 1_000_000))
  return { id, source_id, start: () => startImport(db, id, MAPPED) }
}
