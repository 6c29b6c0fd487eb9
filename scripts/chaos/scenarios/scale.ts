import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { FAULT_LIMITS, judgeGrowth, watchMemory, type MemoryGrowth, type MemoryLimits } from '../memory.ts'
import { judgeArrivals } from '../judges/judge-acks.ts'
import { judgeBounds } from '../judges/judge-processes.ts'
import { plantLeads } from '../plant-leads.ts'
import type { Figure, Run, Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import type { World } from '../world.ts'

const FAN_OUT_LIMITS: MemoryLimits = { held: 60, peak: 250 }
/**
 * Over minutes held memory changes by less than 1 MB; one kilobyte kept for each lead would be 10 MB in two
 * minutes.
 */
const SOAK_LIMITS: MemoryLimits = { heldCreep: 2, residentCreep: 30 }
const KEYS_LIMIT = 20_000

const grown = new WeakMap<World, MemoryGrowth>()

export const scale: Scenario[] = [
  {
    id: 'S21',
    name: 'one event for 10,000 configurations; 10,000 endpoints with one event each',
    passes: 'every one is delivered; memory of the workers stays bounded',
    world: { workers: 2 },
    load: { quick: null, long: null },
    drainSeconds: 600,
    break: async (run) => {
      const count = run.length === 'quick' ? 300 : 10_000
      const memory = await watchMemory(run.world.workers, 1000)
      const startedAt = now()
      await plantFanOut(run, count)
      await plantSingles(run, count)
      await waitForReceipts(run, 2 * count)
      const seconds = (now() - startedAt) / 1000
      const growth = await memory.stop()
      run.figure('deliveries/s', String(Math.round((2 * count) / seconds)))
      grown.set(run.world, growth)
      run.mended()
    },
    check: ({ length, ledger, world, figure }) => {
      const growth = grown.get(world)
      const faults =
        growth === undefined ? [] : judgeGrowth(growth, FAN_OUT_LIMITS, world.workers.length, figure)
      const wanted = 2 * (length === 'quick' ? 300 : 10_000)
      return [...faults, ...judgeArrivals(ledger.receipts, wanted)]
    },
  },
  {
    id: 'S24',
    name: 'soak: the same load for minutes, a fifth of it retried once',
    passes: 'memory does not climb; Redis keeps a bounded number of keys; log partitions are made ahead',
    world: { workers: 2, endpoints: ['ok', 'ok', 'ok', 'ok', 'first-500'] },
    load: {
      quick: { rate: 40, seconds: 20 },
      get long() {
        return { rate: 100, seconds: Number(process.env['CHAOS_SOAK_MINUTES'] ?? '5') * 60 }
      },
    },
    drainSeconds: 180,
    break: async (run) => {
      const { world, length } = run
      const seconds = length === 'quick' ? 20 : Number(process.env['CHAOS_SOAK_MINUTES'] ?? '5') * 60
      const memory = await watchMemory([...world.workers, world.server], length === 'quick' ? 1000 : 5000)
      await run.at(seconds)
      const growth = await memory.stop()
      // A run of seconds says nothing about hours.
      if (length === 'long') run.figure('memory held, per hour', `${growth.heldPerHour.toFixed(0)} MB`)
      grown.set(world, growth)
      run.mended()
    },
    check: async ({ world, length, figure }) => {
      const faults = await checkBounds(world, figure)
      const growth = grown.get(world)
      if (growth === undefined) return faults
      const limits = length === 'quick' ? FAULT_LIMITS : SOAK_LIMITS
      faults.push(...judgeGrowth(growth, limits, world.workers.length + 1, figure))
      return faults
    },
  },
]

/** `count` configurations of the first client receive one lead. Their endpoints are numbered from 1. */
async function plantFanOut(run: Run, count: number): Promise<void> {
  const { world } = run
  const secret = sealedSecret(world)
  const { rows } = await sql<{ client: string }>`
    select client_user_id as client from client_webhook_configs limit 1`.execute(world.db)
  const client = rows[0]?.client ?? ''
  // The one from the set-up would be the 10,001st.
  await sql`delete from client_webhook_configs where client_user_id = ${client}::uuid`.execute(world.db)
  await sql`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    select ${client}::uuid, 'Example CRM ' || n, ${`${world.receiver.url}/e/`} || n, '{"lead_id":"{{id}}"}', ${secret}
    from generate_series(1, ${count}::int) n`.execute(world.db)
  await plantLeads(run, [{ client, endpoint: 1 }])
}

/** Makes `count` clients with a configuration and a lead each. */
async function plantSingles(run: Run, count: number): Promise<void> {
  const { world } = run
  const { rows } = await sql<{ client: string; endpoint: number }>`
    with made as (
      insert into auth.users (id, email, password_hash)
      select gen_random_uuid(), 'client-' || n || '@chaos.example.com', null from generate_series(1, ${count}::int) n
      returning id, email, substring(email from '\\d+')::int + ${count}::int as endpoint
    ), profiled as (
      insert into profiles (user_id, email, name) select id, email, 'Example Client' from made
    ), configured as (
      insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
      select id, 'Example CRM', ${`${world.receiver.url}/e/`} || endpoint, '{"lead_id":"{{id}}"}', ${sealedSecret(world)}
      from made
    )
    select id as client, endpoint from made`.execute(world.db)
  await plantLeads(run, rows)
}

function sealedSecret(world: World): string {
  return createSecretBox(world.config.secretsKey ?? '').seal(
    'client_webhook_configs.signing_secret',
    createSigningSecret(),
  )
}

async function waitForReceipts(run: Run, count: number): Promise<void> {
  const { world } = run
  for (;;) {
    const { rows } = await sql<{ left: number }>`
      select ${count}::int - count(*)::int as left from webhook_deliveries where state = 'delivered'`.execute(
      world.db,
    )
    if ((rows[0]?.left ?? 0) <= 0) return
    await sleep(1000)
  }
}

async function checkBounds(world: World, figure: Figure): Promise<string[]> {
  const keys = 'nodes' in world.redis ? undefined : await world.redis.dbsize()
  const { rows } = await sql<{ stray: number; weeks: number }>`
    select (select count(*)::int from webhook_delivery_logs_default) as stray,
      (select count(*)::int from pg_inherits where inhparent = 'webhook_delivery_logs'::regclass) as weeks`.execute(
    world.db,
  )
  return judgeBounds({ keys, stray: rows[0]?.stray ?? 0, weeks: rows[0]?.weeks ?? 0 }, KEYS_LIMIT, figure)
}
