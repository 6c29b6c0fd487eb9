import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { ApiError } from '#web/api/errors.ts'
import { createWebhookOnce } from '#web/webhooks/queries/create-webhook-once.ts'

type Fate = 'arrives' | 'loses its answer' | 'is lost on the way' | 'is refused'

const noAnswer = () => new ApiError('network', 0, 'The server did not answer.')

/** Presses of Create in one form, against an API that keeps its idempotency key. */
function openForm() {
  const made: WebhookConfig[] = []
  let first: string | undefined
  const unanswered = new Set<string>()
  const create = (fates: Fate[]) => (jsonText: string) => {
    const fate = fates.shift() ?? 'arrives'
    if (fate === 'is lost on the way') return Promise.reject(noAnswer())
    if (fate === 'is refused') return Promise.reject(new ApiError('validation_failed', 422, 'No name'))
    if (first !== undefined && first !== jsonText)
      return Promise.reject(new ApiError('idempotency_key_reused', 422, 'Used before'))
    if (first === undefined) made.push({ id: randomUUID(), webhook_name: jsonText } as WebhookConfig)
    first = jsonText
    return fate === 'arrives' ? Promise.resolve(made[0] as WebhookConfig) : Promise.reject(noAnswer())
  }
  const press = async (jsonText: string, ...fates: Fate[]) => {
    try {
      const { outcome, config } = await createWebhookOnce(create(fates), unanswered, jsonText)
      return `${outcome} ${config.webhook_name}`
    } catch (error) {
      return error instanceof ApiError ? error.code : 'another failure'
    }
  }
  return { press, made }
}

describe('a form whose Create is pressed again', () => {
  it('saves one webhook if the first answer was lost and nothing has changed', async () => {
    const { press, made } = openForm()
    expect(await press('A', 'loses its answer')).toBe('network')
    expect(await press('A')).toBe('saved A')
    expect(made).toHaveLength(1)
  })

  it('finds the webhook of the first try if the form has changed since', async () => {
    const { press, made } = openForm()
    await press('A', 'loses its answer')
    expect(await press('B')).toBe('made_before A')
    expect(made).toHaveLength(1)
  })

  it('creates the present webhook if no earlier try has arrived', async () => {
    const { press, made } = openForm()
    await press('A', 'is lost on the way')
    expect(await press('B')).toBe('saved B')
    expect(made).toHaveLength(1)
  })

  it('finds the successful try among several', async () => {
    const { press, made } = openForm()
    await press('A', 'is lost on the way')
    await press('B', 'loses its answer')
    expect(await press('C')).toBe('made_before B')
    expect(made).toHaveLength(1)
  })

  it('never sends a refused webhook again', async () => {
    const { press } = openForm()
    expect(await press('A', 'is refused')).toBe('validation_failed')
    expect(await press('B')).toBe('saved B')
  })

  it('says that no answer came if the search for the webhook gets none either', async () => {
    const { press, made } = openForm()
    await press('A', 'loses its answer')
    expect(await press('B', 'arrives', 'loses its answer')).toBe('network')
    expect(await press('B')).toBe('made_before A')
    expect(made).toHaveLength(1)
  })
})
