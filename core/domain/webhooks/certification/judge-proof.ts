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

/**
 * Whether a file at CHALLENGE_PATH shows the challenge of this webhook, and only challenges: a line of its own for each
 * webhook. A service that repeats requests names what it repeats, so it proves nothing by a header of the client's choice.
 */
export function showsChallenge(body: string | null, challenge: string): boolean {
  const lines = (body ?? '')
    .trim()
    .split('\n')
    .map((line) => line.trim())
  return lines.includes(challenge) && lines.every((line) => /^[\w-]+$/.test(line))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
