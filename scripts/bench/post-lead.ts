import { request, type Agent } from 'undici'
import { leadOf } from './lead.ts'

export interface PostedLead {
  /** of the source */
  key: string
  externalId: string
  index: number
  /** its intended moment, milliseconds since the epoch */
  intended: number
  comments?: string | undefined
}

/** Returns whether the API accepted the lead; every failure counts as not accepted. */
export async function postLead(
  agent: Agent,
  url: string,
  { key, externalId, index, intended, comments }: PostedLead,
): Promise<boolean> {
  try {
    const answer = await request(`${url}/api/v1/leads`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(leadOf(externalId, index, intended, comments)),
    })
    await answer.body.dump()
    return answer.statusCode === 201
  } catch (error) {
    console.error(`A lead was not taken: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
