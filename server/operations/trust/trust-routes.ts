import { createHash } from 'node:crypto'
import { trustSchema, webhookKeysSchema } from '#core/contract/operations/trust.ts'
import type { ServerContext } from '../../context.ts'
import { requireAllowed } from '../../http/rate-limits.ts'
import { route, type Answer } from '../../http/route.ts'
import { showPublicKeys } from '../../webhooks/show-public-keys.ts'
import { describeTrust } from './describe-trust.ts'

/** Programs look at it before each use, and anybody may; keys and addresses change with days of notice. */
const CACHED = 'public, max-age=300'
const KEPT_MS = 5000

/** Routes by which programs of receivers read about an installation, without a sign-in. */
export const trustRoutes = [
  route({
    method: 'get',
    path: '/.well-known/leadwire.json',
    who: 'public',
    summary: 'Return what a receiver can check: keys, addresses, limits, version',
    description:
      'It may be cached for five minutes. Send the `ETag` of an earlier answer as `If-None-Match` to get a 304 if nothing has changed.',
    answers: { 200: trustSchema, 304: null },
    handle: async ({ context, header }) => answerCached(await readTrust(context), header('If-None-Match')),
  }),
  route({
    method: 'get',
    path: '/.well-known/leadwire/keys/:id',
    who: 'public',
    summary: 'Return the public keys that verify the Ed25519 signatures of a webhook',
    description:
      'The id is that of the webhook. Keys are derived from it, so the answer does not tell whether there is such a webhook. They are empty until a webhook of this installation is signed with Ed25519. More than 600 calls a minute from one network are a 429. See [Verify a signature](/documentation/verify-signatures).',
    answers: { 200: webhookKeysSchema, 304: null },
    handle: async ({ context, id, header, from }) => {
      requireAllowed(await context.operations.publicRates.spend('webhook_keys', from.network), 'calls')
      const webhook_id = id.toLowerCase()
      const keys = await showPublicKeys(context, webhook_id)
      return answerCached(JSON.stringify({ webhook_id, keys }), header('If-None-Match'))
    },
  }),
]

/** Two servers in one process have two. */
const kept = new WeakMap<object, { text: Promise<string>; at: number }>()

/** Asked again every few seconds at most, however often strangers ask. */
async function readTrust(context: ServerContext): Promise<string> {
  const known = kept.get(context)
  const now = performance.now()
  if (known !== undefined && now - known.at < KEPT_MS) return await known.text
  const text = describeTrust(context).then((trust) => JSON.stringify(trust, null, 2))
  kept.set(context, { text, at: now })
  text.catch(() => kept.delete(context))
  return await text
}

function answerCached(text: string, known: string | undefined): Answer {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  const headers = { ETag: tag, 'Cache-Control': CACHED, 'Access-Control-Allow-Origin': '*' }
  const isKnown = known?.split(',').some((one) => [tag, '*'].includes(one.trim().replace(/^W\//, '')))
  return isKnown === true ? { status: 304, headers } : { status: 200, text, headers }
}
