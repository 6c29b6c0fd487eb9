import type {
  CertificationRun,
  CertificationStepName,
  CertificationStop,
  StepResult,
} from '#core/contract/webhooks/certification.ts'
import type { Tone } from '#web/ui/show/tone.ts'
import { toneOf } from './tone-of-grade.ts'

export const STEP_NAMES: Readonly<Record<CertificationStepName, string>> = {
  ownership: 'The endpoint is yours',
  plain: 'An ordinary lead',
  duplicate: 'The same lead twice',
  out_of_order: 'An older lead after a newer one',
  rotated_secret: 'Two signatures, while a secret is replaced',
  wrong_signature: 'A wrong signature',
  slow_answer: 'A slow answer',
  large_payload: 'The largest payload',
  burst: '50 leads at once',
  retry_after: 'A pause that it asked for',
}

export const RESULT_WORDS: Readonly<Record<StepResult, string>> = {
  waiting: 'Waiting',
  running: 'Running',
  passed: 'Passed',
  failed: 'Failed',
  skipped: 'Not tried',
}

const STOPS: Readonly<Record<CertificationStop, string>> = {
  unproved: 'The endpoint did not show that it is yours',
  unreachable: 'No request came through',
  refused: 'The endpoint refused an ordinary lead',
  unavailable: 'Stopped at the first 503',
  timed_out: 'Stopped at the first time-out',
  throttled: 'Stopped at a 429',
  address_changed: 'The endpoint’s name leads to an address that was not proved',
  leads_wait: 'Leads wait for this endpoint, and go first',
  changed: 'The webhook was changed meanwhile',
  ended_worker: 'The certification could not be finished. This is our fault. Try again.',
}

/** The result of a run in one sentence, with its colour; undefined while it is made. */
export function describeRun(run: CertificationRun): { title: string; tone: Tone; text?: string } | undefined {
  const { stop, grade, steps, is_valid } = run
  if (stop !== null) return { title: STOPS[stop], tone: 'failure' }
  if (grade === null) return undefined
  const count = steps.filter(({ result }) => result === 'failed').length
  const failed = count === 0 ? 'every case passed' : count === 1 ? 'one case failed' : `${count} cases failed`
  const said = { title: `Grade ${grade}: ${failed}`, tone: toneOf(grade) }
  return is_valid
    ? said
    : {
        ...said,
        tone: 'neutral',
        text: 'The webhook was changed since, or this was long ago, so the grade no longer holds.',
      }
}

/** The progress as a person reads it: "3 of 10 cases". */
export function describeProgress({ state, steps }: CertificationRun): string {
  if (state === 'waiting' && steps.length === 0) return 'Waiting for a worker'
  const ended = steps.filter(({ result }) => result !== 'waiting' && result !== 'running').length
  return `${ended} of ${steps.length} cases`
}
