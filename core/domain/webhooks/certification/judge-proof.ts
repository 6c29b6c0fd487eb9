/**
 * Whether an answer's body is the nonce that we sent in the header `leadwire-challenge`, and nothing else: as plain
 * text, or as `{"challenge": "…"}`. A service that repeats whole requests proves nothing.
 */
export function isNonce(body: string | null, nonce: string): boolean {
  const text = body?.trim() ?? ''
  if (text === nonce || text === `"${nonce}"`) return true
  const read = readJson(text)
  if (typeof read !== 'object' || read === null) return false
  const members = Object.entries(read)
  return members.length === 1 && members[0]?.[0] === 'challenge' && members[0][1] === nonce
}

/** Whether a file at CHALLENGE_PATH shows the challenge of this webhook: a line of its own for each webhook. */
export function showsChallenge(body: string | null, challenge: string): boolean {
  return (body ?? '').split(/\s+/).includes(challenge)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
