import type { CertificationStepName } from '#core/contract/webhooks/certification.ts'
import { newMessage, type Message, type Variation } from './build-request.ts'
import type { Sent } from './open-sender.ts'
import { StopRun } from './stop-run.ts'
import { failed, passed, type Trial, type Tried } from './trial.ts'
import { burst, obeyRetryAfter } from './try-burst.ts'

/** THE CASES: what each sends, and what passes. */
export const CASES: Readonly<Record<CertificationStepName, (trial: Trial) => Promise<Tried>>> = {
  ownership: async ({ sender }) => passed(await sender.prove()),
  plain: async (trial) => {
    const sent = await ask(trial, newMessage())
    if (sent.isDelivered) return passed([sent.attempt])
    const stop = sent.status === null ? 'unreachable' : 'refused'
    throw new StopRun(stop, sent.message ?? '', [sent.attempt])
  },
  duplicate: async (trial) => {
    const message = newMessage()
    return judgeAll([await ask(trial, message), await ask(trial, message, { attempt: 2 })])
  },
  out_of_order: async (trial) => {
    const newer = await ask(trial, newMessage())
    return judgeAll([newer, await ask(trial, newMessage(600))])
  },
  rotated_secret: async (trial) =>
    judgeAll([await ask(trial, newMessage(), { signedBy: 'a stranger first' })]),
  wrong_signature: async (trial) => {
    const { status, attempt, message } = await ask(trial, newMessage(), { signedBy: 'a stranger' })
    if (status !== null && status >= 400 && status < 500) return passed([attempt])
    const detail =
      status === null || status >= 500
        ? `It did not refuse a wrong signature with 401, but failed. ${message ?? ''}`
        : `It answered ${status} to a request that was signed with another secret.`
    return failed(detail, [attempt])
  },
  slow_answer: async (trial) => {
    const message = newMessage()
    const sent = [await ask(trial, message, { hangUpMs: trial.tempo.hangUpMs })]
    if (sent[0]?.status === null) sent.push(await ask(trial, message, { attempt: 2 }))
    const attempts = sent.map(({ attempt }) => attempt)
    const last = sent.at(-1)
    if (last?.isDelivered !== true) return failed(last?.message ?? null, attempts)
    const { slowMs } = trial.tempo
    if (trial.slowestMs <= slowMs) return passed(attempts)
    const seconds = (trial.slowestMs / 1000).toFixed(1)
    return failed(`Its slowest answer took ${seconds} s; more than ${slowMs / 1000} s fails.`, attempts)
  },
  large_payload: async (trial) => judgeAll([await ask(trial, newMessage(), { isLarge: true })]),
  burst,
  retry_after: obeyRetryAfter,
}

async function ask(
  trial: Trial,
  message: Message,
  how: Variation & { hangUpMs?: number } = {},
): Promise<Sent> {
  await trial.pace()
  const sent = await trial.sender.send(message, how)
  trial.slowestMs = Math.max(trial.slowestMs, sent.attempt.ms)
  return sent
}

function judgeAll(sent: readonly Sent[]): Tried {
  const attempts = sent.map(({ attempt }) => attempt)
  const bad = sent.find(({ isDelivered }) => !isDelivered)
  return bad === undefined ? passed(attempts) : failed(bad.message, attempts)
}
