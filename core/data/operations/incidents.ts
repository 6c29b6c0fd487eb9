import { sql } from 'kysely'
import type { Incident, IncidentChange } from '#core/contract/operations/service-status.ts'
import type { Db } from '../database.ts'

type Written = Omit<IncidentChange, 'note'>

interface StoredIncident {
  id: string
  title: string
  message: string
  began_at: Date
  ended_at: Date | null
  updated_at: Date
}

/** The newest incidents. @param given.days only those that are under way, or ended within so many days; left out: all */
export async function listIncidents(db: Db, given: { limit: number; days?: number }): Promise<Incident[]> {
  const { limit, days } = given
  const { rows } = await sql<StoredIncident>`
    select id, title, message, began_at, ended_at, updated_at from incidents
    where ${days ?? null}::int is null or coalesce(ended_at, now()) >= now() - make_interval(days => ${days ?? null}::int)
    order by began_at desc, id desc limit ${limit}`.execute(db)
  return rows.map(readIncident)
}

export async function insertIncident(trx: Db, incident: Written): Promise<Incident> {
  const row = await trx.insertInto('incidents').values(incident).returningAll().executeTakeFirstOrThrow()
  return readIncident(row)
}

/** An incident, locked until the end of the transaction. */
export async function lockIncident(trx: Db, id: string): Promise<Incident | undefined> {
  const row = await trx
    .selectFrom('incidents')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && readIncident(row)
}

export async function updateIncident(trx: Db, id: string, incident: Written): Promise<Incident> {
  const row = await trx
    .updateTable('incidents')
    .set({ ...incident, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return readIncident(row)
}

export async function deleteIncident(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('incidents').where('id', '=', id).execute()
}

function readIncident({ id, title, message, began_at, ended_at, updated_at }: StoredIncident): Incident {
  return {
    id,
    title,
    message,
    began_at: began_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    updated_at: updated_at.toISOString(),
  }
}
