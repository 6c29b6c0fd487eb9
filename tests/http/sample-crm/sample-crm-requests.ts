import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { z } from 'zod'
import { createSampleCrm, type SampleCrm } from '#scripts/sample-crm/create-sample-crm.ts'

export const SECRET = `whsec_${Buffer.from('the sample secret of 32 bytes ok').toString('base64')}`
export const OLD_SECRET = `whsec_${Buffer.from('another secret, also of 32 bytes').toString('base64')}`
export const NOW = new Date('2026-05-04T12:00:00.000Z')
export const LEAD = { name: 'Pat Example', email: 'pat@example.com', phone: '+12025550143' }
const stateSchema = z.object({
  failures_left: z.int(),
  answering: z.object({ mode: z.string() }),
  requests: z.array(
    z.object({
      webhook_id: z.string().nullable(),
      event: z.string().nullable(),
      signature: z.string(),
      lead: z.object({
        name: z.string().nullable(),
        email: z.string().nullable(),
        phone: z.string().nullable(),
      }),
      body: z.string(),
      body_truncated: z.boolean(),
      seen: z.int(),
      arrivals: z.array(
        z.object({
          attempt: z.int().nullable(),
          answered: z.union([z.int(), z.enum(['no answer', 'reset'])]),
        }),
      ),
    }),
  ),
})

/** A request as Leadwire sends it, with parts that a test can change. */
export interface Delivery {
  readonly body?: string
  readonly id?: string
  readonly attempt?: number
  readonly secret?: string
  readonly sentAt?: Date
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly signal?: AbortSignal
}

/** Posts it to the sample CRM. */
export function deliverTo(
  crm: SampleCrm,
  { body = JSON.stringify(LEAD), id = 'event-1', attempt = 1, sentAt = NOW, ...rest }: Delivery = {},
) {
  return fetch(crm.webhookUrl, {
    method: rest.method ?? 'POST',
    redirect: 'manual',
    body,
    signal: rest.signal ?? null,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(rest.secret ?? SECRET).sign(id, sentAt, body),
      'leadwire-event': 'lead.assigned',
      'leadwire-attempt': String(attempt),
      ...rest.headers,
    },
  })
}

/** Reads the state that the sample CRM's page shows. */
export async function readStateOf(crm: SampleCrm) {
  return stateSchema.parse(await (await fetch(`${crm.url}/requests.json`)).json())
}

/** Sets how the sample CRM answers from now on. */
export async function switchAt(
  crm: SampleCrm,
  mode: string | number,
  settings: Record<string, unknown> = {},
) {
  const answer = await fetch(`${crm.url}/mode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode, ...settings }),
  })
  expect(answer.status).toBe(200)
}

/** Starts a sample CRM with its secret in a file of its own. */
export async function openSampleCrm() {
  const folder = await mkdtemp(join(tmpdir(), 'sample-crm-'))
  const secretFile = join(folder, 'secret')
  await writeFile(secretFile, SECRET)
  const crm = await createSampleCrm({ port: 0, host: '127.0.0.1', secretFile, now: () => NOW })
  return {
    crm,
    secretFile,
    close: async () => {
      await crm.close()
      await rm(folder, { recursive: true })
    },
  }
}
