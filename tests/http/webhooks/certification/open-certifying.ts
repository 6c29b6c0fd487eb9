import { sql } from 'kysely'
import { beforeEach, expect } from 'vitest'
import {
  certificationSchema,
  type Certification,
  type CertificationRun,
  type CertificationStepName,
} from '#core/contract/webhooks/certification.ts'
import type { AddressGuard } from '#core/endpoint/guard-address.ts'
import { createTransport } from '#core/endpoint/transport.ts'
import type { Tempo } from '#core/domain/webhooks/certification/limits.ts'
import { createReceiver, type Fault } from '#tests/support/peers/certified-receiver.ts'
import { createCertifyEndpoints } from '#worker/housekeeping/certifications/certify-endpoints.ts'
import { openWithEndpoint, type WithEndpoint } from '../../support/open-with-endpoint.ts'
import type { CallResult, Person } from '../../support/start-app.ts'

const TEMPLATE = { id: '{{id}}', name: '{{name}}', created_at: '{{created_at}}', is_test: '{{is_test}}' }

/** Nothing is slow, on however busy a machine, and nothing waits. */
export const PATIENT: Tempo = { paceMs: () => 0, slowMs: 60_000, hangUpMs: 60_000 }

/** A new client with a webhook for each test, and what the tests do with it. */
export interface Certifying {
  given: WithEndpoint
  now: { client: Person; config: string; secret: string }
  givenConfig: (owner: Person) => Promise<string>
  pathOf: (id?: string) => string
  call: (method: string, path: string, body?: object, who?: Person) => Promise<CallResult>
  ask: (who?: Person, id?: string) => Promise<CallResult>
  show: () => Promise<Certification>
  /** Runs what was asked for with this worker. */
  work: (how?: { timeoutMs?: number; guard?: AddressGuard; tempo?: Tempo }) => Promise<void>
  /** Certifies a receiver with this fault. */
  certify: (fault?: Fault, tempo?: Tempo) => Promise<CertificationRun & { failed: CertificationStepName[] }>
}

export function openCertifying(): Certifying {
  const given = openWithEndpoint()
  const nobody = { token: '', id: '', email: '' }
  const now = { client: nobody, config: '', secret: '' }

  const givenConfig: Certifying['givenConfig'] = async (owner) => {
    const { json } = await given.app.call('POST', '/api/v1/webhook-configs', {
      token: owner.token,
      body: {
        webhook_name: 'Example CRM',
        endpoint_url: `${given.receiver.url}/leads`,
        payload_template: TEMPLATE,
        custom_headers: { 'X-Api-Key': 'key-of-the-client-123' },
      },
    })
    return json.id
  }
  const pathOf = (id = now.config) => `/api/v1/webhook-configs/${id}`
  const call: Certifying['call'] = (method, path, body, who = now.client) =>
    given.app.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) })
  const ask: Certifying['ask'] = (who = now.client, id = now.config) =>
    call('POST', `${pathOf(id)}/certification`, undefined, who)
  const show = async () => certificationSchema.parse((await call('GET', `${pathOf()}/certification`)).json)
  const work: Certifying['work'] = async ({ timeoutMs = 60_000, guard, tempo = PATIENT } = {}) => {
    const { context } = given.app
    const transport = createTransport(guard ?? context.webhooks.guard, {
      timeoutMs,
      connectionsPerOrigin: 64,
    })
    await createCertifyEndpoints({ ...context, transport }, tempo)(new AbortController().signal)
    await transport.close()
  }

  beforeEach(async () => {
    await sql`delete from endpoint_certifications`.execute(given.app.context.db)
    given.receiver.requests.length = 0
    now.client = await given.app.newClient()
    now.config = await givenConfig(now.client)
    now.secret = (await call('GET', `${pathOf()}/secret`)).json.secret
  })
  return {
    given,
    now,
    givenConfig,
    pathOf,
    call,
    ask,
    show,
    work,
    certify: async (fault = {}, tempo = PATIENT) => {
      given.receiver.answerWith(createReceiver(now.secret, fault))
      expect((await ask()).status).toBe(202)
      await work({ tempo })
      const { run } = await show()
      if (run === null) throw new Error('No run')
      const failed = run.steps.filter(({ result }) => result === 'failed').map(({ step }) => step)
      return { ...run, failed }
    },
  }
}
