import { sql } from 'kysely'
import type { DeliverableEvent } from '#core/contract/events.ts'
import { leadForPayloadSchema, type LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import type { Db } from '#core/data/database.ts'
import { readStoredJson } from '#core/read-stored.ts'

/** Asks for the right to make one attempt. `lease_token` is fresh for each ask and fences what is recorded later. */
export interface ClaimRequest {
  delivery_id: string
  attempt: number
  lease_token: string
}

/** What is claimed: the delivery, its lead, and which version of its configuration holds at this moment. */
export interface ClaimedDelivery {
  delivery_id: string
  event_id: string
  event_type: DeliverableEvent
  client_user_id: string
  webhook_config_id: string
  /** it was let through an open breaker to see whether the endpoint is back */
  is_probe: boolean
  is_resend: boolean
  /** changes with every change of the configuration's row */
  config_version: string
  lead_id: string
  /** as JSON text: {@link readClaimedLead} reads it, so that one unreadable lead is its own delivery's failure alone */
  lead: string
  /** the database's clock at the claim */
  claimed_at: Date
}

/**
 * - `claimed`: this caller, and nobody else until the lease ends, may send.
 * - `busy`: another lease is live, or the delivery is not due yet; come back after `wait_ms`, by whatever clock.
 * - `held`: the configuration is switched off, or its endpoint's breaker is open; the delivery now waits for it.
 * - `settled`: made, finished or gone; nothing to do.
 */
export type Claim =
  | { status: 'claimed'; delivery: ClaimedDelivery }
  | { status: 'busy'; wait_ms: number }
  | { status: 'held' }
  | { status: 'settled' }

type TakenRow = Omit<ClaimedDelivery, 'lead'> &
  ({ may_send: true; lead: string } | { may_send: false; lead: null })

/** Jobs wake by their worker's clock, leases and due times run by the database's: this much early is on time. */
const EARLY_SECONDS = 1

const ASK_AGAIN_MS = 1000

/**
 * Claims a batch in one statement, and reads in another what became of those that it could not have. Answers in the order asked.
 * @param leaseSeconds longer than the longest exchange, so that a live sender is never overtaken
 */
export async function claimDeliveries(
  db: Db,
  requests: readonly ClaimRequest[],
  leaseSeconds: number,
): Promise<Claim[]> {
  // Asked twice in one batch (a job of each queue), only the first may have it.
  const seen = new Set<string>()
  const unique = requests.map((request) =>
    seen.has(request.delivery_id) ? undefined : (seen.add(request.delivery_id), request),
  )
  const asked = unique.filter((request) => request !== undefined)
  const { rows } = await sql<TakenRow>`
    with asked as (
      select * from unnest(
        ${asked.map((request) => request.delivery_id)}::uuid[],
        ${asked.map((request) => request.attempt)}::int[],
        ${asked.map((request) => request.lease_token)}::uuid[]
      ) as t (delivery_id, attempt, token)
    ), locked as (
      -- One order for every batch, so that two batches never wait for each other; a row locked elsewhere is busy.
      -- The case keeps the planner from the partial indexes of all that is pending: a backlog would be read whole.
      select d.id, d.webhook_config_id, a.token,
        d.next_attempt_at <= now() + make_interval(secs => ${EARLY_SECONDS})
          and (d.lease_until is null or d.lease_until < now()) as is_free
      from webhook_deliveries d join asked a on a.delivery_id = d.id
      where case d.state when 'pending' then d.attempt = a.attempt - 1 else false end
      order by d.id
      for update of d skip locked
    ), taken as (
      update webhook_deliveries d
      set state = case when e.may_send then d.state else 'held' end,
        lease_token = case when e.may_send then l.token end,
        lease_until = case when e.may_send then now() + make_interval(secs => ${leaseSeconds}) end
      from locked l cross join lateral (
        select c.xmin::text as config_version, coalesce(h.probe_delivery_id = l.id, false) as is_probe,
          c.is_active and (coalesce(h.breaker, 'closed') = 'closed' or h.probe_delivery_id is not distinct from l.id)
            as may_send
        from client_webhook_configs c left join webhook_endpoint_health h on h.webhook_config_id = c.id
        where c.id = l.webhook_config_id) e
      where d.id = l.id and l.is_free
      returning d.id as delivery_id, d.event_id, d.event_type, d.client_user_id, d.webhook_config_id, d.lead_id, e.may_send,
        e.is_probe, d.resend_of is not null as is_resend, e.config_version
    )
    select taken.may_send, taken.delivery_id, now() as claimed_at, taken.event_id, taken.event_type,
      taken.client_user_id, taken.webhook_config_id, taken.is_probe, taken.is_resend, taken.config_version, taken.lead_id,
      case when taken.may_send then row_to_json(lead) end as lead
    from taken left join lateral (
      select l.id, l.status, l.is_test, l.name, l.first_name, l.last_name, l.email, l.phone, l.alt_phone, l.address1,
        l.address2, l.city, l.county, l.state, l.zip, l.country, l.timezone, l.date_of_birth, l.age, l.gender, l.tobacco,
        l.coverage_amount::text, l.beneficiary_name, l.best_time_to_call, l.language, l.comments, l.custom, l.lead_type,
        l.source, l.campaign, l.sub_id, l.deal_size::text, l.price_charged::text, l.order_id, l.consent_given,
        l.consent_at, l.consent_text, l.consent_url, host(l.consent_ip) as consent_ip, l.trustedform_cert_url,
        l.jornaya_leadid, l.created_at, l.assigned_at
      from leads l where l.id = taken.lead_id
    ) lead on taken.may_send
  `.execute(db)
  const taken = new Map(rows.map((row) => [row.delivery_id, readClaim(row)]))
  const others = asked.filter(({ delivery_id: id }) => !taken.has(id))
  // What is claimed is to be sent, whatever becomes of this question: the others are told to ask again.
  const waits = await readWaits(db, others).catch(
    () => new Map(others.map(({ delivery_id: id }) => [id, ASK_AGAIN_MS])),
  )
  return requests.map(({ delivery_id: id }, index) => {
    if (unique[index] === undefined) return { status: 'busy', wait_ms: ASK_AGAIN_MS }
    const wait = waits.get(id)
    return taken.get(id) ?? (wait === undefined ? { status: 'settled' } : { status: 'busy', wait_ms: wait })
  })
}

/** How long to leave those alone whose attempt is still to be made, but not now or not by this caller. */
async function readWaits(db: Db, requests: readonly ClaimRequest[]): Promise<Map<string, number>> {
  if (requests.length === 0) return new Map()
  const { rows } = await sql<{ id: string; wait_ms: number }>`
    select d.id, greatest(250, 1000 * extract(epoch from
      greatest(d.next_attempt_at, least(d.lease_until, now() + interval '2 seconds')) - now()))::float8 as wait_ms
    from unnest(
      ${requests.map((request) => request.delivery_id)}::uuid[], ${requests.map((request) => request.attempt)}::int[]
    ) as a (delivery_id, attempt) join webhook_deliveries d on d.id = a.delivery_id
    where d.state = 'pending' and d.attempt = a.attempt - 1
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row.wait_ms]))
}

function readClaim(row: TakenRow): Claim {
  if (!row.may_send) return { status: 'held' }
  const { may_send: _maySend, lead, ...delivery } = row
  return { status: 'claimed', delivery: { ...delivery, lead } }
}

/** The lead that a delivery carries. @throws StoredDataError */
export function readClaimedLead({ lead }: Pick<ClaimedDelivery, 'lead'>): LeadForPayload {
  return readStoredJson(leadForPayloadSchema, lead, 'the lead of a delivery')
}
