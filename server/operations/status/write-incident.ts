import type { Incident, IncidentChange } from '#core/contract/operations/service-status.ts'
import {
  deleteIncident,
  insertIncident,
  lockIncident,
  updateIncident,
} from '#core/data/operations/incidents.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'

/** Writes an incident on the public status page. */
export async function writeIncident(
  { db }: Pick<ServerContext, 'db'>,
  by: By,
  { note, ...wish }: IncidentChange,
): Promise<Incident> {
  return await db.transaction().execute(async (trx) => {
    const incident = await insertIncident(trx, wish)
    const details = { incident_id: incident.id, after: wish, note }
    await auditChange(trx, by, { action: 'incident_written', details })
    return incident
  })
}

/** @throws AppError not_found */
export async function changeIncident(
  { db }: Pick<ServerContext, 'db'>,
  by: By,
  id: string,
  { note, ...wish }: IncidentChange,
): Promise<Incident> {
  return await db.transaction().execute(async (trx) => {
    const { id: _id, updated_at: _updated, ...before } = (await lockIncident(trx, id)) ?? missing()
    const incident = await updateIncident(trx, id, wish)
    await auditChange(trx, by, {
      action: 'incident_changed',
      details: { incident_id: id, before, after: wish, note },
    })
    return incident
  })
}

/** @throws AppError not_found */
export async function removeIncident(
  { db }: Pick<ServerContext, 'db'>,
  by: By,
  id: string,
  note: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { id: _id, updated_at: _updated, ...before } = (await lockIncident(trx, id)) ?? missing()
    await deleteIncident(trx, id)
    await auditChange(trx, by, { action: 'incident_removed', details: { incident_id: id, before, note } })
  })
}

function missing(): never {
  throw new AppError('not_found', 'Incident not found')
}
