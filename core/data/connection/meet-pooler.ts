import pg from 'pg'
import { listSettings } from '../session-settings.ts'
import type { Pooler } from './address.ts'

/**
 * Asks a transaction pooler which settings its PostgreSQL knows, and finds out whether it keeps prepared statements:
 * then it gives them names of its own, because sessions change hands. A pooler without them passes our name on.
 */
export async function meetPooler(connectionString: string): Promise<Pooler> {
  const client = new pg.Client({
    connectionString,
    application_name: 'leadwire-start',
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
  })
  // The query that is under way fails, and reports it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Everything runs in one transaction, and so in one session, whose own limits may be short.
    await client.query(
      'begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0',
    )
    const name = `leadwire_${crypto.randomUUID().replaceAll('-', '')}`
    const text = `select name from unnest($1::text[]) as name where current_setting(name, true) is not null and '${name}' <> ''`
    const known = await client.query<{ name: string }>({
      name,
      text,
      values: [Object.keys(listSettings('in_line'))],
    })
    const { rows } = await client.query<{ name: string }>(
      'select name from pg_prepared_statements where statement = $1',
      [text],
    )
    const isPassedOn = rows.some((row) => row.name === name)
    if (isPassedOn) await client.query(`deallocate ${name}`)
    await client.query('commit')
    return { prepares: rows.length > 0 && !isPassedOn, known: new Set(known.rows.map((row) => row.name)) }
  } finally {
    await client.end().catch(() => undefined)
  }
}
