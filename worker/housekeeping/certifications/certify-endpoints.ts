import type { CertificationStop } from '#core/contract/webhooks/certification.ts'
import {
  claimCertification,
  endCertification,
  noteCertification,
  releaseCertification,
  type ClaimedCertification,
} from '#core/data/webhooks/certifications/make-certification.ts'
import { isDatabaseAway } from '#core/data/is-database-away.ts'
import { USUAL_TEMPO, type Tempo } from '#core/domain/webhooks/certification/limits.ts'
import { CERTIFICATIONS } from '#core/fairness/limits.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { WorkerContext } from '#worker/context.ts'
import { makeFew } from '../make-few.ts'
import { beginSteps, endSteps, runCertification } from './run-certification.ts'
import { isRunLost, OwnShortage, RunLost } from './stop-run.ts'

type Context = Pick<WorkerContext, 'config' | 'db' | 'logger' | 'secrets' | 'transport'>

/**
 * Makes certifications, the one that has waited longest first, a few at once and one of a host. A worker that makes one
 * holds its lease; if the worker dies, another one continues with the case that was under way. Any number of workers may
 * do this at once.
 */
export function createCertifyEndpoints(
  context: Context,
  tempo: Tempo = USUAL_TEMPO,
): (signal: AbortSignal) => Promise<void> {
  return async (signal) =>
    await makeFew(signal, CERTIFICATIONS, {
      claim: async () => await claimCertification(context.db, CERTIFICATIONS.leaseSeconds),
      make: async (claimed) => await makeOne(context, claimed, { signal, tempo }),
    })
}

async function makeOne(
  context: Context,
  claimed: ClaimedCertification,
  { signal, tempo }: { signal: AbortSignal; tempo: Tempo },
): Promise<void> {
  const { db, logger } = context
  const fields = { certification_id: claimed.id, webhook_config_id: claimed.webhook_config_id }
  const lease = keepLease(context, claimed)
  try {
    if (claimed.tries > CERTIFICATIONS.mostTries) return await stopAsOurs(db, claimed)
    const made = await runCertification(context, claimed, {
      signal: AbortSignal.any([signal, lease.lost]),
      tempo,
    })
    logger.info({ ...fields, ...made }, 'a certification has ended')
  } catch (error) {
    if (isRunLost(error)) return logger.info(fields, 'a certification is made elsewhere')
    if (signal.aborted) return await releaseCertification(db, claimed, { seconds: 0, isCounted: false })
    // Its lease ends, and it is continued.
    if (isDatabaseAway(error)) throw error
    const isShort = error instanceof OwnShortage
    logger.error({ ...fields, failure: describeError(error) }, 'a certification was broken off')
    if (!isShort && claimed.tries >= CERTIFICATIONS.mostTries) return await stopAsOurs(db, claimed)
    await releaseCertification(db, claimed, { seconds: CERTIFICATIONS.againSeconds, isCounted: !isShort })
  } finally {
    await lease.stop()
  }
}

async function stopAsOurs(db: Context['db'], claimed: ClaimedCertification): Promise<void> {
  const stop: CertificationStop = 'ended_worker'
  const steps = beginSteps(claimed.steps)
  endSteps(steps, { detail: null, attempts: [] })
  await endCertification(db, claimed, { steps: JSON.stringify(steps), stop })
}

/** Extends the lease while one exchange takes long; `lost` is aborted with RunLost if another worker has the run. */
function keepLease(
  { db }: Pick<Context, 'db'>,
  claimed: ClaimedCertification,
): { lost: AbortSignal; stop: () => Promise<void> } {
  const lost = new AbortController()
  let last: Promise<void> = Promise.resolve()
  const timer = setInterval(
    () => {
      last = noteCertification(db, claimed, { steps: null, leaseSeconds: CERTIFICATIONS.leaseSeconds }).then(
        (isHeld) => {
          if (!isHeld) lost.abort(new RunLost())
        },
        // The run itself notices that the database is away.
        () => undefined,
      )
    },
    (CERTIFICATIONS.leaseSeconds * 1000) / 3,
  )
  return {
    lost: lost.signal,
    stop: async () => {
      clearInterval(timer)
      await last
    },
  }
}
