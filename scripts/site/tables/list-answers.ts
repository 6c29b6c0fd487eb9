import { readAnswer, type Verdict } from '#core/domain/webhooks/answer/read-answer.ts'
import { asCode, writeTable } from './write-table.ts'

/** Frequent statuses of receivers and their proxies; any other is judged by its first digit. */
const STATUSES = [
  200, 201, 202, 204, 301, 302, 307, 308, 400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422,
]
const ASKING_OR_FAILING = [429, 500, 502, 503, 504]

/** The meaning of each answer of a receiver, from the code that judges answers. */
export function listAnswers(): string {
  const now = new Date('2026-01-01T00:00:00Z')
  const rows = [...STATUSES, ...ASKING_OR_FAILING].map((status) => {
    const verdict = readAnswer({ kind: 'answer', status, headers: { 'retry-after': '60' } }, now)
    const failed = verdict.state === 'failed' ? verdict : undefined
    return [
      asCode(String(status)),
      sayWhatFollows(verdict),
      failed === undefined ? '–' : asCode(failed.errorClass),
      failed === undefined ? '–' : failed.message.replace(/^\d+: /, ''),
    ]
  })
  return writeTable(['Answer', 'What follows', 'Error class', 'What the log says'], rows)
}

function sayWhatFollows(verdict: Verdict): string {
  if (verdict.state === 'delivered') return 'Delivered'
  if (verdict.disable !== undefined) return 'Failed; the webhook is switched off'
  return verdict.retryAfterSeconds === undefined
    ? 'Sent again on the schedule'
    : 'Sent again on the schedule, or later if `Retry-After` asks for it'
}
