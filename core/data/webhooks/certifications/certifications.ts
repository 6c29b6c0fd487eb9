import { sql } from 'kysely'
import type { Grade } from '#core/contract/webhooks/certification-grade.ts'
import type { CertificationState, CertificationStop } from '#core/contract/webhooks/certification.ts'
import type { Db } from '../../database.ts'

/** A run as it is stored; its steps are not yet checked by their schema. */
export interface StoredCertification {
  id: string
  webhook_config_id: string
  fingerprint: string
  state: CertificationState
  stop: CertificationStop | null
  grade: Grade | null
  steps: unknown
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

const SELECTED = sql`id, webhook_config_id, fingerprint, state, stop, grade, steps, created_at, started_at, finished_at`

/** The latest run of one of the owner's webhooks. */
export async function findCertification(
  db: Db,
  owner: string,
  webhookConfigId: string,
): Promise<StoredCertification | undefined> {
  const { rows } = await sql<StoredCertification>`
    select ${SELECTED} from endpoint_certifications
    where webhook_config_id = ${webhookConfigId} and client_user_id = ${owner}
    order by created_at desc, id desc limit 1`.execute(db)
  return rows[0]
}

/** A finished run, with what its webhook is sent with now; secrets still sealed. */
export interface GradedCertification {
  webhook_config_id: string
  grade: Grade
  finished_at: Date
  fingerprint: string
  id: string
  endpoint_url: string
  request_method: string
  payload_type: string
  custom_headers: unknown
  authentication: string | null
  ca_certificate: string | null
  client_certificate: string | null
  client_key: string | null
  signing_secret: string
}

/**
 * The latest graded run of each of the owner's webhooks, or only of one person's, with the configuration as it is now.
 * @param since runs that finished before are over
 */
export async function listGraded(
  db: Db,
  owner: string,
  { since, member }: { since: Date; member: string | undefined },
): Promise<GradedCertification[]> {
  const { rows } = await sql<GradedCertification>`
    select distinct on (c.id) c.id as webhook_config_id, r.grade, r.finished_at, r.fingerprint, c.id, c.endpoint_url,
      c.request_method, c.payload_type, c.custom_headers, c.authentication, c.ca_certificate, c.client_certificate,
      c.client_key, c.signing_secret
    from endpoint_certifications r join client_webhook_configs c on c.id = r.webhook_config_id
    where r.client_user_id = ${owner} and c.client_user_id = ${owner} and r.state = 'done' and r.finished_at > ${since}
      and (${member ?? null}::uuid is null or c.member_user_id = ${member ?? null})
    order by c.id, r.created_at desc, r.id desc`.execute(db)
  return rows
}

/** Runs that count, and the seconds until the first of them is a day old. */
export interface RunsOfHost {
  count: number
  seconds: number
}

/**
 * SQL on a run `e`: it counts for its host unless it has stopped before the endpoint proved anything. Otherwise a stranger
 * could use up the runs of a host that others share.
 */
const COUNTS = sql`(e.state <> 'stopped' or exists (
  select from jsonb_array_elements(e.steps) step where step ->> 'result' = 'passed'
    or (step ->> 'result' = 'failed' and step ->> 'step' <> 'ownership')))`

/**
 * Holds the host for this transaction, so that two requests at once do not exceed the limit.
 * @returns the runs of the last 24 hours for it, over all clients, and those of one client
 */
export async function countRunsOfHost(
  trx: Db,
  host: string,
  client: string,
): Promise<{ all: RunsOfHost; own: RunsOfHost }> {
  await sql`select pg_advisory_xact_lock(hashtext('endpoint_certifications'), hashtext(${host}))`.execute(trx)
  const { rows } = await sql<RunsOfHost & { is_own: boolean }>`
    select count(e.id)::int as count, o.is_own,
      coalesce(ceil(extract(epoch from min(e.created_at) + interval '24 hours' - now())), 0)::int as seconds
    from (values (false), (true)) o (is_own) left join endpoint_certifications e
      on e.host = ${host} and e.created_at > now() - interval '24 hours' and ${COUNTS} and (not o.is_own or e.client_user_id = ${client})
    group by o.is_own`.execute(trx)
  const of = (isOwn: boolean): RunsOfHost =>
    rows.find((row) => row.is_own === isOwn) ?? { count: 0, seconds: 0 }
  return { all: of(false), own: of(true) }
}

export async function insertCertification(
  trx: Db,
  run: {
    id: string
    webhook_config_id: string
    client_user_id: string
    host: string
    fingerprint: string
    steps: string
  },
): Promise<void> {
  await trx.insertInto('endpoint_certifications').values(run).execute()
}

/** Whether a real lead waits for this endpoint of the owner, at any of their webhooks. */
export async function hasWaitingLeads(db: Db, owner: string, endpointUrl: string): Promise<boolean> {
  const { rows } = await sql`
    select from client_webhook_configs c
    where c.client_user_id = ${owner} and c.endpoint_url = ${endpointUrl} and exists (
      select from webhook_deliveries d join leads l on l.id = d.lead_id
      where d.webhook_config_id = c.id and d.state in ('pending', 'held') and not l.is_test)
    limit 1`.execute(db)
  return rows.length > 0
}

/** Whether requests may go to this webhook: no administrator has paused sending to its account, or suspended it. */
export async function maySend(db: Db, webhookConfigId: string): Promise<boolean> {
  const { rows } = await sql`
    select from client_webhook_configs c join profiles p on p.user_id = c.client_user_id and p.status = 'active'
    where c.id = ${webhookConfigId} and c.sending_pause_reason is null`.execute(db)
  return rows.length > 0
}
