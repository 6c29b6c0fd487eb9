/** `node scripts/check-health.ts URL`: ends with status 0 if the URL answers 2xx. The image has no other HTTP client. */
const [url = ''] = process.argv.slice(2)
const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(4_000) })
if (!ok) console.error(`${url} answered ${status}`)
process.exit(ok ? 0 : 1)
