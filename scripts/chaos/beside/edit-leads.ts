import { waitUntil } from '../../lab/wait-until.ts'
import { now } from '../../lab/now.ts'
import type { Ack } from '../ledger.ts'
import { leadFor } from '../send-leads.ts'
import type { Door } from './ask.ts'
import type { Desk, EditedWebhook } from './desk.ts'
import { rowsOf } from './read-all.ts'

const RESENT_LIMIT_MS = 30_000

/** A source that missed the answer repeats its lead, to the other version. */
export async function postTwice(
  { ask, buyer, note }: Desk,
  writer: Door,
  reader: Door,
  round: number,
): Promise<Ack | undefined> {
  const intended = now()
  const externalId = `edit-${Math.round(intended)}-${round}`
  const call = {
    method: 'POST',
    path: '/api/v1/leads',
    token: buyer.key,
    body: leadFor(externalId, intended),
  } as const
  const taken = await ask(writer, call)
  note('a lead is taken', taken.status === 201)
  if (taken.status !== 201) return undefined
  const { lead_id: leadId } = taken.body as { lead_id: string }
  const ackedAt = now()
  const again = await ask(reader, call)
  const { lead_id: sameId } = (again.body ?? {}) as { lead_id?: string }
  note('a repeated lead is the same', again.status === 200 && sameId === leadId)
  return {
    externalId,
    leadId,
    endpoint: buyer.endpoints[0] ?? 0,
    intended,
    ackedAt,
    tries: 1,
    url: writer.url,
  }
}

export async function changeDisposition(
  { ask, buyer: { token }, note }: Desk,
  writer: Door,
  reader: Door,
  leadId: string,
): Promise<void> {
  const path = `/api/v1/leads/${leadId}`
  const body = { disposition: 'contacted', notes: 'Will call again.' }
  note('a lead is changed', (await ask(writer, { method: 'PATCH', path, token, body })).status === 200)
  const { disposition } = ((await ask(reader, { path, token })).body ?? {}) as { disposition?: string }
  note('a changed lead is read', disposition === body.disposition)
}

/** One version lists the delivered attempts, the other resends one of them, and any worker may take it. */
export async function resendOne(
  { ask, buyer: { token }, note }: Desk,
  writer: Door,
  reader: Door,
  { id }: EditedWebhook,
  round: number,
): Promise<void> {
  const logs = `/api/v1/webhook-configs/${id}/delivery-logs`
  const [sent] = rowsOf(await ask(reader, { path: `${logs}?status=delivered&limit=1`, token }))
  // The webhook has not received anything yet.
  if (sent === undefined) return
  const path = `/api/v1/delivery-logs/${sent.id}/resend`
  const call = { method: 'POST', path, token, key: `resend-${id}-${round}` } as const
  const resent = await ask(writer, call)
  note('a delivery is sent again', resent.status === 202)
  if (resent.status !== 202) return
  const { delivery_id: delivery } = resent.body as { delivery_id: string }
  const again = await ask(reader, call)
  const { delivery_id: same } = (again.body ?? {}) as { delivery_id?: string }
  note('the same key sends it once', again.status === 202 && same === delivery)
  const hasArrived = async (): Promise<boolean> => {
    const rows = rowsOf<{ delivery_status: string }>(
      await ask(reader, { path: `${logs}?search=${delivery}`, token }),
    )
    return rows.some(({ delivery_status: status }) => status === 'delivered')
  }
  const isThere = await waitUntil(hasArrived, { timeoutMs: RESENT_LIMIT_MS, intervalMs: 250 }).catch(
    () => false,
  )
  note('what is sent again arrives', isThere)
}
