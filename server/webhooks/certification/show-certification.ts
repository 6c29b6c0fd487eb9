import type { CertificationGrades } from '#core/contract/webhooks/certification-grade.ts'
import {
  CERTIFIED_DAYS,
  CHALLENGE_PATH,
  storedStepsSchema,
  type Certification,
  type CertificationRun,
  type ShownStep,
} from '#core/contract/webhooks/certification.ts'
import {
  findCertification,
  listGraded,
  type StoredCertification,
} from '#core/data/webhooks/certifications/certifications.ts'
import { findSigningSecrets } from '#core/data/webhooks/signing-secrets.ts'
import { adviseStep } from '#core/domain/webhooks/certification/advise-step.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { AppError } from '#core/errors.ts'
import { readStored, StoredDataError } from '#core/read-stored.ts'
import {
  fingerprintEndpoint,
  makeChallenge,
  type SealedEndpoint,
} from '#core/secrets/fingerprint-endpoint.ts'
import { SealError, type SecretBox } from '#core/secrets/secret-box.ts'
import type { ServerContext } from '../../context.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import { requireWebhookConfig } from '../configs/require-webhook-config.ts'
import { openSigningSecret } from '../find-unreadable.ts'

const DAY_MS = 24 * 3600 * 1000

/** Says how one webhook proves that its endpoint is the client's, with its latest run. @throws AppError not_found, unusable_endpoint, conflict */
export async function showCertification(
  context: Pick<ServerContext, 'db' | 'secrets'>,
  caller: Principal,
  id: string,
): Promise<Certification> {
  const { db, secrets } = context
  const config = await requireWebhookConfig(context, caller, id)
  if (isMailUrl(config.endpoint_url))
    throw new AppError('unusable_endpoint', 'A webhook that sends mail has no endpoint to certify.')
  const sealed = await findSigningSecrets(db, caller.user_id, id)
  if (sealed === undefined) throw new AppError('not_found', 'Webhook not found')
  const run = await findCertification(db, caller.user_id, id)
  const isSame =
    run !== undefined &&
    isUnchanged({ ...config, signing_secret: sealed.current, fingerprint: run.fingerprint }, secrets)
  return {
    webhook_config_id: id,
    challenge_url: new URL(CHALLENGE_PATH, config.endpoint_url).href,
    challenge: makeChallenge(openSigningSecret(sealed.current, secrets), id),
    run: run === undefined ? null : describeRun(run, isSame),
  }
}

/** The grades that the caller's webhooks have now: the endpoint is as it was tried, and not long ago. */
export async function listGrades(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  caller: Principal,
): Promise<CertificationGrades> {
  const since = new Date(Date.now() - CERTIFIED_DAYS * DAY_MS)
  const graded = await listGraded(db, caller.user_id, { since, member: caller.member_user_id })
  return {
    data: graded
      .filter((one) => isUnchanged(one, secrets))
      .map(({ webhook_config_id, grade, finished_at }) => ({
        webhook_config_id,
        grade,
        finished_at: finished_at.toISOString(),
      })),
  }
}

/** A configuration that cannot be read has no grade. */
function isUnchanged(one: SealedEndpoint & { fingerprint: string }, secrets: SecretBox): boolean {
  try {
    return fingerprintEndpoint(one, secrets) === one.fingerprint
  } catch (error) {
    if (error instanceof SealError || error instanceof StoredDataError) return false
    throw error
  }
}

function describeRun(run: StoredCertification, isSame: boolean): CertificationRun {
  const { id, state, stop, grade, created_at, started_at, finished_at } = run
  const isRecent = finished_at !== null && finished_at.getTime() > Date.now() - CERTIFIED_DAYS * DAY_MS
  return {
    id,
    state,
    stop,
    grade,
    is_valid: grade !== null && isSame && isRecent,
    steps: readStored(storedStepsSchema, run.steps, 'the steps of a certification').map((step): ShownStep => {
      const advice = step.result === 'failed' ? adviseStep(step.step) : undefined
      return { ...step, why: advice?.why ?? null, mend: advice?.mend ?? null, code: advice?.code ?? null }
    }),
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  }
}
