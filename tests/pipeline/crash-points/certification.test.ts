// A worker dies while it certifies an endpoint: another one continues with the case that was under way.
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import {
  CERTIFICATION_STEPS,
  storedStepsSchema,
  type CertificationStep,
} from '#core/contract/webhooks/certification.ts'
import { insertCertification } from '#core/data/webhooks/certifications/certifications.ts'
import { readSendingConfigs } from '#core/data/webhooks/sending-configs.ts'
import { fingerprintEndpoint } from '#core/secrets/fingerprint-endpoint.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { WITHIN } from '#tests/support/processes/carried.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Processes run one after the other, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

test('a certification whose worker dies at the eighth case is finished by another worker', async (context) => {
  const { pipeline, client, crm, worker } = await setUpCrashPoint(context)
  const { db } = pipeline
  crm.answerWith(({ headers }) => {
    const nonce = headers['leadwire-challenge']
    return typeof nonce === 'string' ? { status: 200, body: nonce } : 200
  })
  const { id: webhook } = await db
    .selectFrom('client_webhook_configs')
    .select('id')
    .where('client_user_id', '=', client)
    .executeTakeFirstOrThrow()
  const [config] = await readSendingConfigs(db, [webhook])
  if (config === undefined) throw new Error('No webhook')
  const id = randomUUID()
  const read = () =>
    db
      .selectFrom('endpoint_certifications')
      .select(['state', 'tries', 'grade', 'steps'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const resultsOf = (steps: unknown): Array<CertificationStep['result']> =>
    storedStepsSchema.parse(steps).map(({ result }) => result)

  const first = await worker({ FAILPOINTS: 'within-certification=exit*8' })
  const fingerprint = fingerprintEndpoint(config, pipeline.context.secrets)
  const run = { id, webhook_config_id: webhook, client_user_id: client, host: '127.0.0.1', fingerprint }
  await insertCertification(db, { ...run, steps: '[]' })
  await first.ended()
  const left = await read()
  expect(left).toMatchObject({ state: 'running', tries: 1 })
  expect(resultsOf(left.steps)[7]).toBe('running')
  const before = crm.requests.length
  await db
    .updateTable('endpoint_certifications')
    .set({ lease_until: new Date(0) })
    .execute()
  await worker()
  await waitUntil(async () => (await read()).state === 'done', {
    what: 'The certification',
    timeoutMs: WITHIN.aLock * 4,
  })

  const made = await read()
  // This receiver checks no signature.
  expect(made).toMatchObject({ tries: 2, grade: 'C' })
  expect(resultsOf(made.steps)).toEqual(
    CERTIFICATION_STEPS.map((step) => (step === 'wrong_signature' ? 'failed' : 'passed')),
  )
  // The proof again, the case under way, and the burst.
  expect(crm.requests.length - before).toBe(52)
})
