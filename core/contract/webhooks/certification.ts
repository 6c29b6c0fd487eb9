import { z } from 'zod'
import { gradeSchema } from './certification-grade.ts'
import { errorClassSchema } from './delivery.ts'

/** The cases of a certification, in the order in which they are tried (docs/product.md §7). */
export const CERTIFICATION_STEPS = [
  'ownership',
  'plain',
  'duplicate',
  'out_of_order',
  'rotated_secret',
  'wrong_signature',
  'slow_answer',
  'large_payload',
  'burst',
  'retry_after',
] as const
export const certificationStepNameSchema = z.enum(CERTIFICATION_STEPS)
export type CertificationStepName = z.infer<typeof certificationStepNameSchema>

/** `skipped`: the run ended before it, or there was nothing to see. */
export const STEP_RESULTS = ['waiting', 'running', 'passed', 'failed', 'skipped'] as const
export const stepResultSchema = z.enum(STEP_RESULTS)
export type StepResult = z.infer<typeof stepResultSchema>

export const CERTIFICATION_STATES = ['waiting', 'running', 'done', 'stopped'] as const
export const certificationStateSchema = z.enum(CERTIFICATION_STATES)
export type CertificationState = z.infer<typeof certificationStateSchema>

/**
 * Why a run was stopped. `unproved`: the endpoint did not show that it is the client's. `unreachable`: no request came
 * through. `refused`: it refused an ordinary lead. `unavailable`: it answered 503. `timed_out`. `throttled`: a 429
 * outside of the burst. `address_changed`: its name led to an address that was not proved. `leads_wait`: real leads
 * waited for it. `changed`: the webhook was changed or deleted, or an administrator paused or suspended its account. `ended_worker`: a reason of ours.
 */
export const CERTIFICATION_STOPS = [
  'unproved',
  'unreachable',
  'refused',
  'unavailable',
  'timed_out',
  'throttled',
  'address_changed',
  'leads_wait',
  'changed',
  'ended_worker',
] as const
export const certificationStopSchema = z.enum(CERTIFICATION_STOPS)
export type CertificationStop = z.infer<typeof certificationStopSchema>

/** Runs for one host in 24 hours, over all clients (docs/product.md §9). */
export const RUNS_OF_HOST_A_DAY = 3
/** The part of these that one client gets, because several clients may share a host (docs/product.md §9). */
export const OWN_RUNS_OF_HOST_A_DAY = 2
/** Requests that are sent at once in the case `burst` (docs/product.md §9). */
export const BURST_REQUESTS = 50
/** Days for which a certification is valid (docs/product.md §9). */
export const CERTIFIED_DAYS = 90
/** The path on the endpoint's host that may show the challenge (docs/contract.md §5). */
export const CHALLENGE_PATH = '/.well-known/leadwire-challenge'

/** One request of a case: the status, how long it took, and the first characters of the answer, masked as in the log. */
export const certificationAttemptSchema = z.object({
  status: z.int().nullable(),
  ms: z.int(),
  error_class: errorClassSchema.nullable(),
  answer: z.string().nullable(),
})
export type CertificationAttempt = z.infer<typeof certificationAttemptSchema>

/** A case as it is stored. */
export const certificationStepSchema = z.object({
  step: certificationStepNameSchema,
  result: stepResultSchema,
  detail: z.string().nullable(),
  attempts: z.array(certificationAttemptSchema),
})
export type CertificationStep = z.infer<typeof certificationStepSchema>
export const storedStepsSchema = z.array(certificationStepSchema)

/** A case as its client sees it; of a failed one also why it matters and how it is mended. */
export const shownStepSchema = certificationStepSchema.extend({
  why: z.string().nullable(),
  mend: z.string().nullable(),
  code: z.string().nullable(),
})
export type ShownStep = z.infer<typeof shownStepSchema>

export const certificationRunSchema = z.object({
  id: z.uuid(),
  state: certificationStateSchema,
  stop: certificationStopSchema.nullable(),
  grade: gradeSchema.nullable(),
  /** false once the webhook was changed, or after {@link CERTIFIED_DAYS} */
  is_valid: z.boolean(),
  steps: z.array(shownStepSchema),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})
export type CertificationRun = z.infer<typeof certificationRunSchema>

/** `GET` and `POST /api/v1/webhook-configs/:id/certification`: how ownership is proved, and the latest run. */
export const certificationSchema = z.object({
  webhook_config_id: z.uuid(),
  challenge_url: z.string(),
  challenge: z.string(),
  run: certificationRunSchema.nullable(),
})
export type Certification = z.infer<typeof certificationSchema>
