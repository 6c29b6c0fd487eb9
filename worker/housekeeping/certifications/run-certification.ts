import { setTimeout as sleep } from 'node:timers/promises'
import {
  BURST_REQUESTS,
  CERTIFICATION_STEPS,
  storedStepsSchema,
  type CertificationStep,
  type CertificationStop,
} from '#core/contract/webhooks/certification.ts'
import { hasWaitingLeads, maySend } from '#core/data/webhooks/certifications/certifications.ts'
import {
  endCertification,
  noteCertification,
  type ClaimedCertification,
} from '#core/data/webhooks/certifications/make-certification.ts'
import { readSendingConfigs, type SendingConfig } from '#core/data/webhooks/sending-configs.ts'
import { gradeRun } from '#core/domain/webhooks/certification/grade-run.ts'
import type { Tempo } from '#core/domain/webhooks/certification/limits.ts'
import { failpoint } from '#core/failpoints.ts'
import { CERTIFICATIONS } from '#core/fairness/limits.ts'
import { readStored } from '#core/read-stored.ts'
import { fingerprintEndpoint, makeChallenge } from '#core/secrets/fingerprint-endpoint.ts'
import type { WorkerContext } from '#worker/context.ts'
import { openSettings } from '#worker/endpoint/read-settings.ts'
import { openSender } from './open-sender.ts'
import { RunLost, StopRun } from './stop-run.ts'
import type { Trial } from './trial.ts'
import { CASES } from './try-cases.ts'

type Context = Pick<WorkerContext, 'config' | 'db' | 'secrets' | 'transport'>

const CHANGED = 'The webhook was changed or deleted meanwhile.'
const PAUSED = 'Leadwire has paused all sending to you.'
const LEADS_WAIT = 'Leads wait for this endpoint, and go first. Certify it once they are delivered.'

/**
 * Makes the cases of a run one after the other, from the first that has no result yet, and stores each result. Every
 * exchange goes through the worker's transport, and none through deliveries: their log, health and breaker know nothing
 * of it.
 * @throws RunLost, OwnShortage, or the reason of `signal`
 */
export async function runCertification(
  context: Context,
  claimed: ClaimedCertification,
  { signal, tempo }: { signal: AbortSignal; tempo: Tempo },
): Promise<{ stop: CertificationStop | null }> {
  const { db } = context
  const steps = beginSteps(claimed.steps)
  const text = (): string => JSON.stringify(steps)
  const note = async (isChanged: boolean): Promise<void> => {
    const { leaseSeconds } = CERTIFICATIONS
    const isHeld = await noteCertification(db, claimed, { steps: isChanged ? text() : null, leaseSeconds })
    if (!isHeld) throw new RunLost()
  }
  try {
    const trial = await openTrial(context, claimed, { signal, tempo, note: () => note(false) })
    for (const step of steps) {
      // A run that another worker began proves its endpoint again.
      if (step.result !== 'waiting' && step.step !== 'ownership') continue
      step.result = 'running'
      await note(true)
      await failpoint('within-certification')
      Object.assign(step, await CASES[step.step](trial))
      await note(true)
    }
  } catch (error) {
    if (!(error instanceof StopRun)) throw error
    endSteps(steps, error)
    await endCertification(db, claimed, { steps: text(), stop: error.stop })
    return { stop: error.stop }
  }
  await endCertification(db, claimed, { steps: text(), grade: gradeRun(steps) })
  return { stop: null }
}

/** The stored steps, of which one that was under way is tried again. */
export function beginSteps(stored: unknown): CertificationStep[] {
  const known = readStored(storedStepsSchema, stored, 'the steps of a certification')
  return CERTIFICATION_STEPS.map((step) => {
    const found = known.find((one) => one.step === step)
    return found === undefined || found.result === 'running'
      ? { step, result: 'waiting', detail: null, attempts: [] }
      : found
  })
}

export function endSteps(
  steps: readonly CertificationStep[],
  { detail, attempts }: { detail: string | null; attempts: StopRun['attempts'] },
): void {
  for (const step of steps) {
    if (step.result === 'running') Object.assign(step, { result: 'failed', detail, attempts })
    else if (step.result === 'waiting') step.result = 'skipped'
  }
}

/** @throws StopRun if the webhook is not the one that was asked for */
async function openTrial(
  context: Context,
  claimed: ClaimedCertification,
  { signal, tempo, note }: { signal: AbortSignal; tempo: Tempo; note: () => Promise<void> },
): Promise<Trial> {
  const { config, db, secrets, transport } = context
  const readUnchanged = async (): Promise<SendingConfig> => {
    const [row] = await readSendingConfigs(db, [claimed.webhook_config_id])
    if (row === undefined || fingerprintEndpoint(row, secrets) !== claimed.fingerprint)
      throw new StopRun('changed', CHANGED)
    if (!(await maySend(db, row.id))) throw new StopRun('changed', PAUSED)
    return row
  }
  const row = await readUnchanged()
  const { settings } = openSettings(row, secrets)

  async function giveWay(): Promise<void> {
    const until = performance.now() + CERTIFICATIONS.waitForLeadsMs
    while (await hasWaitingLeads(db, claimed.client_user_id, row.endpoint_url)) {
      if (performance.now() > until) throw new StopRun('leads_wait', LEADS_WAIT)
      await sleep(CERTIFICATIONS.lookEveryMs, undefined, { signal })
      await note()
    }
  }
  // Requests of a burst share one look.
  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    await note()
    await readUnchanged()
    await giveWay()
  }
  const sender = openSender({
    settings,
    client: claimed.client_user_id,
    publicUrl: config.http.publicUrl,
    apiUrl: config.http.apiUrl,
    marksTests: /\{\{\s*(?:lead\.)?is_test\b/.test(row.payload_template),
    access: settings.access,
    transport,
    challenge: makeChallenge(secrets.open(row.signing_secret), row.id),
    signal,
    beforeEach: () =>
      (looking ??= look().finally(() => {
        looking = undefined
      })),
  })
  const paceMs = tempo.paceMs(row.requests_per_minute)
  let next = 0
  return {
    sender,
    tempo,
    pace: async () => {
      const wait = next - performance.now()
      if (wait > 0) await sleep(wait, undefined, { signal })
      next = performance.now() + paceMs
    },
    burst: countBurst(row.requests_per_minute),
    slowestMs: 0,
    throttled: undefined,
    wait: async (ms) => {
      for (let left = ms; left > 0; left -= CERTIFICATIONS.lookEveryMs) {
        await sleep(Math.min(left, CERTIFICATIONS.lookEveryMs), undefined, { signal })
        await note()
      }
    },
  }
}

/** A tenth of the requests that its client allows in a minute may begin at once (rate-limits.ts). */
function countBurst(requestsPerMinute: number | null): number {
  return requestsPerMinute === null
    ? BURST_REQUESTS
    : Math.min(BURST_REQUESTS, Math.max(1, Math.floor(requestsPerMinute / 10)))
}
