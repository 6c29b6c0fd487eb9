import type { CertificationStepName } from '#core/contract/webhooks/certification.ts'

/** Why a failed case matters, how it is mended, and code for it in JavaScript; null where no code helps. */
export interface Advice {
  why: string
  mend: string
  code: string | null
}

const ADVICE: Readonly<Record<CertificationStepName, Advice>> = {
  ownership: {
    why: 'A certification sends many requests. Without this proof anybody could have them sent to somebody else’s server.',
    mend: 'Answer a request that has the header leadwire-challenge with the value of that header, after you have checked the signature. Or serve the challenge as plain text under /.well-known/leadwire-challenge on the same host.',
    code: `const nonce = request.headers['leadwire-challenge']
if (nonce !== undefined) {
  response.writeHead(200, { 'Content-Type': 'text/plain' }).end(nonce)
  return
}`,
  },
  plain: {
    why: 'An endpoint that refuses an ordinary lead gets none.',
    mend: 'Look at its answer, and try Test Endpoint until it succeeds.',
    code: null,
  },
  duplicate: {
    why: 'If an answer is lost, the lead is sent again with the same webhook-id. A receiver that fails then gets the lead up to eight times, and one that stores it twice calls a person twice.',
    mend: 'Make webhook-id the primary key of your table, let the database refuse the second copy, and answer it with 2xx as well.',
    code: `const insert = db.prepare(
  'insert into leads (id, body) values (?, ?) on conflict (id) do nothing',
)
const { changes } = insert.run(request.headers['webhook-id'], body)
response.writeHead(200).end(changes === 1 ? 'stored' : 'had it before')`,
  },
  out_of_order: {
    why: 'A lead whose first delivery failed arrives after newer ones. A receiver that refuses older leads loses it.',
    mend: 'Take each lead as it comes. Sort by created_at of the payload where order matters.',
    code: `// Not: if (lead.created_at < newest) return refuse()
insert.run(request.headers['webhook-id'], body)`,
  },
  rotated_secret: {
    why: 'For 24 hours after you replace the signing secret each request has two signatures. A receiver that reads only the first refuses every lead of that day.',
    mend: 'Split webhook-signature at spaces, and accept the request if any of them matches.',
    code: `const isGenuine = (headers['webhook-signature'] ?? '').split(' ').some((one) => {
  const [version, signature = ''] = one.split(',')
  const given = Buffer.from(signature, 'base64')
  if (version !== 'v1' || given.length !== expected.length) return false
  return timingSafeEqual(given, expected)
})`,
  },
  wrong_signature: {
    why: 'Anybody who learns the address can post leads that you then call, and pay people to call.',
    mend: 'Check the signature before anything else, and answer 401 if it does not match.',
    code: `const signed = \`\${headers['webhook-id']}.\${headers['webhook-timestamp']}.\`
const expected = createHmac('sha256', key).update(signed).update(body).digest()
if (!isGenuine(headers, expected)) {
  response.writeHead(401).end('signature does not fit')
  return
}`,
  },
  slow_answer: {
    why: 'Leadwire waits 15 seconds. A receiver that is slow while it is idle is too slow when it is busy: the attempt fails, and the lead is sent again.',
    mend: 'Store the lead, answer, and do the slow work afterwards, in another part of your program.',
    code: `insert.run(request.headers['webhook-id'], body)
response.writeHead(204).end()
// Another part of the program takes the rows in the state 'new'.`,
  },
  large_payload: {
    why: 'A lead with long answers can be 262,144 bytes long. Many frameworks refuse bodies above 100 KB unless they are told otherwise.',
    mend: 'Let your framework, and any proxy before it, take bodies of 1 MiB.',
    code: `app.use('/leads', express.raw({ type: '*/*', limit: '1mb' }))`,
  },
  burst: {
    why: 'Fifty leads at once are an ordinary Monday morning. Requests that fail are tried again later, and those leads are called late.',
    mend: 'Store each lead with one short statement, and use a pool of connections that waits for a free one. If you cannot keep up, answer 429 with Retry-After.',
    code: `const pool = new Pool({ max: 10, connectionTimeoutMillis: 10_000 })
const sql = 'insert into leads (id, body) values ($1, $2) on conflict (id) do nothing'
await pool.query(sql, [request.headers['webhook-id'], body])`,
  },
  retry_after: {
    why: 'Leadwire obeys Retry-After. Without one it can only guess, and comes too early or too late.',
    mend: 'Send Retry-After with each 429, in whole seconds, and take the request after that time.',
    code: `response.writeHead(429, { 'Retry-After': '2' }).end('too many requests')`,
  },
}

export function adviseStep(step: CertificationStepName): Advice {
  return ADVICE[step]
}
