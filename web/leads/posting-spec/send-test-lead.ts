import { z } from 'zod'
import { fieldErrorSchema } from '#core/contract/problem.ts'
import { apiPath } from '#web/api/api-path.ts'

/** An answer as a source gets it: status and JSON. */
export interface SentTestLead {
  status: number
  json: Record<string, unknown>
}

/**
 * Posts a test lead with only the link's token. Refusals are returned too, to be shown. @throws if no answer
 * came
 */
export async function sendTestLead(wish: { token: string; lead: object }): Promise<SentTestLead> {
  const response = await fetch(apiPath('posting-spec', 'test-lead'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(wish),
  })
  const json = z.record(z.string(), z.unknown()).parse(await response.json())
  return { status: response.status, json }
}

/** Reads the errors of single fields from an answer. */
export function readFaults({ json }: SentTestLead): Readonly<Record<string, string>> {
  const errors = z.array(fieldErrorSchema).safeParse(json['errors']).data ?? []
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]))
}
