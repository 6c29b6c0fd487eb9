import { createHmac, randomUUID, randomUUIDv7 } from 'node:crypto'
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import { Agent, request } from 'undici'

/**
 * The bare product's worker: it leases a delivery, sends it signed, and logs the outcome. It never retries.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const dispatcher = new Agent({ connections: 50 })

const LEASE = {
  name: 'lease',
  text: `
    update bare.deliveries d set lease_token = $2, lease_until = now() + interval '25 s', attempt = attempt + 1
    from bare.leads l, bare.endpoints e
    where d.lead_id = $1 and d.state = 'pending' and (d.lease_until is null or d.lease_until < now())
      and l.id = d.lead_id and e.id = d.endpoint_id
    returning d.id as delivery_id, d.attempt, e.url, e.secret, l.id, l.name, l.email, l.phone, l.custom`,
}
const LOG = {
  name: 'log',
  text: `
    with done as (
      update bare.deliveries set state = $3, finished_at = now(), lease_token = null, lease_until = null
      where id = $1 and lease_token = $2 returning id, endpoint_id
    )
    insert into bare.logs (id, delivery_id, endpoint_id, status, took_ms, request_body, response_body)
    select $4, id, endpoint_id, $5, $6, $7, $8 from done`,
}

interface Leased {
  delivery_id: string
  attempt: number
  url: string
  secret: string
  id: string
  name: string
  email: string
  phone: string
  custom: { intended?: string }
}

async function deliver(leadId: string): Promise<void> {
  const token = randomUUID()
  const { rows } = await pool.query<Leased>({ ...LEASE, values: [leadId, token] })
  for (const { delivery_id, attempt, url, secret, custom, ...lead } of rows) {
    const body = JSON.stringify({
      lead_id: lead.id,
      name: lead.name,
      email: lead.email,
      phone: lead.phone,
      intended: custom.intended,
    })
    const at = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', secret).update(`${delivery_id}.${at}.${body}`).digest('base64')
    const startedAt = performance.now()
    const answer = await request(url, {
      method: 'POST',
      dispatcher,
      headers: {
        'content-type': 'application/json',
        'webhook-id': delivery_id,
        'webhook-timestamp': at,
        'webhook-signature': `v1,${signature}`,
        'leadwire-delivery': delivery_id,
        'leadwire-attempt': String(attempt),
      },
      body,
    })
    const told = await answer.body.text()
    const state = answer.statusCode < 300 ? 'delivered' : 'failed'
    const tookMs = Math.round(performance.now() - startedAt)
    const values = [delivery_id, token, state, randomUUIDv7(), answer.statusCode, tookMs, body, told]
    await pool.query({ ...LOG, values })
  }
}

const worker = new Worker<{ lead_id: string }>('bare-leads', ({ data }) => deliver(data.lead_id), {
  connection: new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null }),
  prefix: process.env['QUEUE_PREFIX'] ?? '',
  concurrency: 50,
})
await worker.waitUntilReady()
console.log('bare worker ready')
process.on('SIGTERM', () => process.exit(0))
