let seconds: number | null = null

/** `fetch` that remembers how long the last 429 asked to wait: auth-js's errors carry no headers. */
export const watchRetryAfter: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.status === 429) {
    const given = Number(response.headers.get('retry-after') ?? Number.NaN)
    seconds = Number.isFinite(given) && given > 0 ? given : null
  }
  return response
}

/** The wait of the last 429 in seconds, once; null where it named none. */
export function takeRetryAfter() {
  const taken = seconds
  seconds = null
  return taken
}
