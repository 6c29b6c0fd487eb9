import type { Page, Request } from '@playwright/test'
import { waitUntil } from '../lab/wait-until.ts'

const CHANGES = '/api/v1/changes'
const REST_MS = 500

/**
 * Follows the requests of a page; call it before the page is opened.
 * @returns waits until there was no request for a moment, except the stream of changes, which never ends
 */
export function watchRequests(page: Page): () => Promise<void> {
  const asked = new Set<Request>()
  let quietFrom = performance.now()
  const end = (request: Request) => {
    asked.delete(request)
    quietFrom = performance.now()
  }
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== CHANGES) asked.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const rests = () => asked.size === 0 && performance.now() - quietFrom > REST_MS
  return async () => void (await waitUntil(rests, { what: 'The rest of a page' }))
}
