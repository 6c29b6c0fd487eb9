import { randomUUIDv7 } from 'node:crypto'
import { Queue } from 'bullmq'
import express from 'express'
import { Redis } from 'ioredis'
import pg from 'pg'

/**
 * The bare product's API: one statement stores a lead and its delivery, and one job announces them. The
 * endpoint's id identifies the caller, and nothing is checked. DATABASE_URL, REDIS_URL, QUEUE_PREFIX and PORT
 * as in the product.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const queue = new Queue('bare-leads', {
  connection: new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null }),
  prefix: process.env['QUEUE_PREFIX'] ?? '',
})

const INSERT = {
  name: 'insert',
  text: `
    with lead as (
      insert into bare.leads (id, endpoint_id, external_id, name, email, phone, address1, city, state, zip, lead_type, comments, custom)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning id, endpoint_id
    )
    insert into bare.deliveries (id, lead_id, endpoint_id) select $14, id, endpoint_id from lead`,
}

const app = express()
app.use(express.json())
app.get('/readyz', (_request, response) => {
  response.json({ status: 'ok' })
})
app.post('/api/v1/leads', async (request, response) => {
  const id = randomUUIDv7()
  const endpoint = request.get('authorization')?.slice('Bearer '.length)
  const { external_id, name, email, phone, address1, city, state, zip, lead_type, comments, custom } =
    request.body as Record<string, unknown>
  const fields = [external_id, name, email, phone, address1, city, state, zip, lead_type, comments, custom]
  await pool.query({ ...INSERT, values: [id, endpoint, ...fields, randomUUIDv7()] })
  await queue.add('deliver', { lead_id: id }, { jobId: id, removeOnComplete: true })
  response.status(201).json({ id })
})
app.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
