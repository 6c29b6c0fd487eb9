import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import got from 'got'
import { sql } from 'kysely'
import { Agent, request } from 'undici'
import { createBatcher } from '#core/concurrency/batch.ts'
import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'

interface Row {
  id: string
  delivery: string
  status: number
  ms: number
  headers: string
  body: string
  answer: string
  answerHeaders: string
  timing: string
}

/**
 * The least that a logged delivery can be: a POST (with undici, or with BENCH_CLIENT=got with that library)
 * of a body of the pipeline's size, and a row in the pipeline's log, written by the pipeline's batches. No
 * lease, template, signature, address check, state, timeline or retry. The yardstick and the baselines do
 * this for each delivery. Reads BENCH_RECEIVER and BENCH_BODY.
 * @param inSlot limits the exchanges in flight; if the queue itself does, each begins at once
 */
export function createPostAndLog(
  config: Config,
  inSlot: <Result>(exchange: () => Promise<Result>) => Promise<Result> = (exchange) => exchange(),
): (delivery: string) => Promise<void> {
  const url = process.env['BENCH_RECEIVER'] ?? ''
  const body = process.env['BENCH_BODY'] ?? ''
  const post = process.env['BENCH_CLIENT'] === 'got' ? postByGot(config) : postByUndici(config)
  const { db } = openDatabase({ ...config.database, name: 'bench-post-and-log' }, (error) => {
    throw error
  })
  const client = randomUUID()
  const rows = createBatcher<Row, undefined>({
    maxSize: 100,
    parallel: 2,
    flush: async (batch) => {
      const of = <Key extends keyof Row>(key: Key): Array<Row[Key]> => batch.map((row) => row[key])
      await sql`
        with made as (
          select * from unnest(${of('id')}::uuid[], ${of('delivery')}::uuid[], ${of('status')}::int[], ${of('ms')}::int[],
            ${of('headers')}::text[], ${of('body')}::text[], ${of('answer')}::text[], ${of('answerHeaders')}::text[],
            ${of('timing')}::text[])
            as t (id, delivery, status, ms, headers, body, answer, answer_headers, timing)
        ), logged as (
          insert into webhook_delivery_logs (id, webhook_config_id, client_user_id, delivery_id, event_id, event_type,
            lead_id, delivery_status, response_status, attempt_number, processing_time_ms, remote_address, request_url,
            request_method, timing)
          select t.id, ${client}::uuid, ${client}::uuid, t.delivery, t.id, 'lead.assigned', t.id, 'delivered', t.status, 1,
            t.ms, '127.0.0.1', ${url}, 'POST', t.timing from made t
        )
        insert into webhook_delivery_log_bodies (id, created_at, request_headers, request_body, response_headers,
          response_body)
        select t.id, now(), t.headers, t.body, t.answer_headers, t.answer from made t`.execute(db)
      return batch.map(() => undefined)
    },
  })

  return async (delivery) => {
    // The number and length are the pipeline's, so that network and log carry the same.
    const headers = {
      'user-agent': 'Leadwire-Webhooks/1 (+http://localhost:3000/documentation)',
      accept: '*/*',
      'X-Api-Key': 'example-key-0123456789',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'webhook-id': delivery,
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,0123456789012345678901234567890123456789012=',
      'leadwire-event': 'lead.assigned',
      'leadwire-delivery': delivery,
      'leadwire-attempt': '1',
    }
    const { answer, ms } = await inSlot(async () => {
      const startedAt = performance.now()
      return {
        answer: await post(url, headers, body),
        ms: Math.round(performance.now() - startedAt),
      }
    })
    await rows.add({
      id: randomUUIDv7(),
      delivery,
      status: answer.status,
      ms,
      headers: JSON.stringify(headers),
      body,
      answer: answer.body,
      answerHeaders: JSON.stringify(answer.headers),
      timing: JSON.stringify({ connect_ms: null, headers_ms: ms, total_ms: ms }),
    })
  }
}

type Post = (
  url: string,
  headers: Record<string, string>,
  body: string,
) => Promise<{ status: number; headers: object; body: string }>

function postByUndici(config: Config): Post {
  const dispatcher = new Agent({
    connections: config.webhooks.concurrency * 2,
    pipelining: 1,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 4000,
  })
  return async (url, headers, body) => {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher })
    return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() }
  }
}

function postByGot(config: Config): Post {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: config.webhooks.concurrency * 2 })
  const client = got.extend({ agent: { http: agent }, retry: { limit: 0 }, decompress: false })
  return async (url, headers, body) => {
    const answer = await client.post(url, { headers, body })
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }
}
