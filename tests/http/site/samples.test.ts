import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import { startServer, startWorker, type LabServer } from '#scripts/lab/start-product.ts'
import { freePort } from '#scripts/services/free-port.ts'
import { renderApiReference } from '#scripts/site/api-reference/render-api-reference.ts'
import { readPages } from '#scripts/site/read-pages.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { countOutcomes } from '#tests/support/samples/count-outcomes.ts'
import { readSamples } from '#tests/support/samples/read-samples.ts'
import { limitOfPage, runPage, type Outcome } from '#tests/support/samples/run-page.ts'
import { PASSWORD } from '#tests/support/given/password.ts'

const EMAIL = 'reader@example.com'
const ADMIN = 'admin@example.com'
const PAGES = [...readPages('documentation'), ...readPages('blog'), ...renderApiReference()]

let environment: LabEnvironment
let server: LabServer
let worker: LabProcess
/** Environment variables that a page asks its reader to set. */
let env: Record<string, string>
const all: Outcome[] = []

beforeAll(async () => {
  environment = await createTestEnvironment({
    SEED_ADMIN_EMAIL: ADMIN,
    SEED_ADMIN_PASSWORD: PASSWORD,
    SEED_CLIENT_EMAIL: EMAIL,
    SEED_CLIENT_PASSWORD: PASSWORD,
    WEBHOOK_RETRY_SCHEDULE: '1,1',
  })
  ;[server, worker] = await Promise.all([startServer(environment.env), startWorker(environment.env)])
  const admin = await signIn(ADMIN)
  const source = await call('/api/v1/admin/sources', { name: 'Example source' }, admin)
  const token = await signIn(EMAIL)
  const reader = String(decodeJwt(token).sub)
  await call(`/api/v1/admin/clients/${reader}/approve`, {}, admin)
  await giveLeads(reader, admin)
  env = {
    LEADWIRE_URL: server.url,
    LEADWIRE_EMAIL: EMAIL,
    LEADWIRE_PASSWORD: PASSWORD,
    ACCESS_TOKEN: token,
    SOURCE_KEY: String(source['api_key']),
  }
})
afterAll(async () => {
  process.stdout.write(`${countOutcomes(all)}\n`)
  await worker.stop()
  await server.stop()
  await environment.close()
})

async function call(path: string, body: unknown, token?: string): Promise<Record<string, unknown>> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, unknown>
}

/** Leads that the reader of the page about the feed has. */
async function giveLeads(owner_user_id: string, admin: string): Promise<void> {
  const naming = await call('/api/v1/admin/sources', { name: 'Own source', owner_user_id }, admin)
  const leads = [1, 2, 3].map((last) => ({
    name: 'Rosa Example',
    phone: `+1202555014${last}`,
    state: 'CA',
    lead_type: 'final_expense',
  }))
  await call('/api/v1/leads/batch', leads, String(naming['api_key']))
}

async function signIn(email: string): Promise<string> {
  const session = await call('/auth/v1/token?grant_type=password', { email, password: PASSWORD })
  return String(session['access_token'])
}

/** Moves the receivers of the pages from port 8000 and the next ones to free ports. */
async function moveReceivers(): Promise<(text: string) => string> {
  const ports = await Promise.all(Array.from({ length: 5 }, async () => String(await freePort())))
  return (text) =>
    text.replaceAll(
      /(?<=localhost:|127\.0\.0\.1", |PORT=)800(\d)\b/g,
      (port, last: string) => ports[Number(last)] ?? port,
    )
}

describe('the samples of', () => {
  for (const page of PAGES) {
    const samples = readSamples(page)
    test(
      `${page.path} have the results that the page states`,
      { timeout: limitOfPage(samples) },
      async () => {
        const outcomes = await runPage(samples, env, await moveReceivers())
        all.push(...outcomes)

        const faults = outcomes.flatMap(({ sample, fault }) =>
          fault === undefined ? [] : [`line ${sample.line} (${sample.language}): ${fault}`],
        )
        expect(faults).toEqual([])
      },
    )
  }
})
