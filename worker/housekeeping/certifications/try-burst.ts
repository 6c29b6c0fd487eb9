import { KEPT_ANSWERS, LONGEST_WAIT_SECONDS, SENT_AGAIN } from '#core/domain/webhooks/certification/limits.ts'
import { newMessage, type Message } from './build-request.ts'
import type { Sent } from './open-sender.ts'
import { failed, passed, type Throttled, type Trial, type Tried } from './trial.ts'

/**
 * Sends many requests at once. It passes if each was accepted, or refused with 429: an endpoint may protect itself, and
 * the next case looks at how. The first 503 or time-out ends those under way.
 */
export async function burst(trial: Trial): Promise<Tried> {
  const stop = new AbortController()
  const messages = Array.from({ length: trial.burst }, () => newMessage())
  let stopped: Error | undefined
  const answers = await Promise.all(
    messages.map(async (message) => {
      try {
        const sent = await trial.sender.send(message, { mayThrottle: true, hangUp: stop.signal })
        return stop.signal.aborted ? undefined : { message, sent }
      } catch (error) {
        stopped ??= error instanceof Error ? error : new Error('A request of the burst failed')
        stop.abort()
        return undefined
      }
    }),
  )
  if (stopped !== undefined) throw stopped
  const met = answers.filter((answer) => answer !== undefined)
  trial.throttled = listThrottled(met)
  const bad = met.filter(({ sent }) => !sent.isDelivered && sent.status !== 429)
  const attempts = keepFew(met.map(({ sent }) => sent))
  if (bad.length === 0) return passed(attempts)
  const detail = `${bad.length} of ${trial.burst} requests failed. The first: ${bad[0]?.sent.message ?? ''}`
  return failed(detail, attempts)
}

function listThrottled(met: readonly { message: Message; sent: Sent }[]): Throttled {
  const throttled = met.filter(({ sent }) => sent.status === 429)
  const waits = throttled.map(({ sent }) => sent.retryAfterSeconds)
  const isReadable = waits.every((wait) => wait !== undefined)
  return {
    messages: throttled.map(({ message }) => message),
    notBefore: isReadable
      ? performance.now() + Math.max(0, ...waits.map((wait) => wait ?? 0)) * 1000
      : undefined,
  }
}

/** The answers that tell most: failures first. */
function keepFew(sent: readonly Sent[]): Tried['attempts'] {
  const inOrder = sent.toSorted((a, b) => Number(a.isDelivered) - Number(b.isDelivered))
  return inOrder.map(({ attempt }, index) => (index < KEPT_ANSWERS ? attempt : { ...attempt, answer: null }))
}

/** Waits as long as the endpoint asked for, and then sends some of what it refused again. */
export async function obeyRetryAfter(trial: Trial): Promise<Tried> {
  const { throttled, sender } = trial
  const nothing = (detail: string): Tried => ({ result: 'skipped', detail, attempts: [] })
  if (throttled === undefined) return nothing('The burst was sent by a worker that ended.')
  if (throttled.messages.length === 0) return passed([], 'It asked for no pause during the burst.')
  if (throttled.notBefore === undefined)
    return failed(
      'It answered 429 without a Retry-After that can be read: whole seconds, or an HTTP date.',
      [],
    )
  const waitMs = throttled.notBefore - performance.now()
  if (waitMs > LONGEST_WAIT_SECONDS * 1000)
    return nothing(`It asked for a pause of more than ${LONGEST_WAIT_SECONDS} s, so nothing was sent again.`)
  await trial.wait(waitMs)
  const sent: Sent[] = []
  for (const message of throttled.messages.slice(0, SENT_AGAIN)) {
    await trial.pace()
    sent.push(await sender.send(message, { attempt: 2, mayThrottle: true }))
    if (sent.at(-1)?.isDelivered !== true) break
  }
  const attempts = sent.map(({ attempt }) => attempt)
  const bad = sent.find(({ isDelivered }) => !isDelivered)
  if (bad === undefined) return passed(attempts)
  return failed(`After the pause that it asked for: ${bad.message ?? ''}`, attempts)
}
