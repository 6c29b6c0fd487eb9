import { z } from 'zod'
import { MOST_REQUESTS_PER_MINUTE } from '#core/contract/webhooks/webhook-config.ts'

/** The typed limit of requests a minute; empty for none. */
export const rateShape = {
  requests_per_minute: z
    .string()
    .refine(
      (text) => text.trim() === '' || readRate(text) !== undefined,
      `Enter a whole number from 1 to ${MOST_REQUESTS_PER_MINUTE.toLocaleString('en-US')}, or nothing`,
    ),
}

export function editRate(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

/** @returns null for no limit, and for a text that cannot be saved */
export function writeRate(text: string): number | null {
  return readRate(text) ?? null
}

/** @returns undefined if it is no limit that can be saved */
function readRate(text: string): number | undefined {
  const number = /^\d{1,5}$/.test(text.trim()) ? Number(text.trim()) : 0
  return number >= 1 && number <= MOST_REQUESTS_PER_MINUTE ? number : undefined
}

export function describeRate(text: string): string {
  const limit = readRate(text)
  if (limit === undefined) return 'As fast as leads come'
  return `At most ${limit.toLocaleString('en-US')} ${limit === 1 ? 'request' : 'requests'} a minute`
}
