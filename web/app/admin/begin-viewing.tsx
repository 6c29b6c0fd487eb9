import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { stopViewing } from '#web/api/viewed-client.ts'
import { adminItemPath } from '#web/paths.ts'
import { authClient } from '#web/session/auth-client.ts'
import { AUTH_URL } from '#web/session/auth-url.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'

const namedSchema = z.object({ display_name: z.string() })
const CHANGES = apiPath('changes')
const NOTHING_CHANGES = 'Nothing can be changed.'
/** Calls of the authentication service that leave the administrator's account as it is. */
const KEEPS_ACCOUNT = /^\/(token\?grant_type=refresh_token|logout\?scope=(?!others))/
/** Calls by GET that do not. */
const CHANGES_ACCOUNT = /^\/(reauthenticate|user\/identities)/

/**
 * Shows a client's screens to an administrator in this tab: every call of the API asks for this client, and a strip says
 * so on every screen. The server decides what may be seen, and refuses every change. The authentication service knows no
 * views, so changes of the administrator's own account are refused here. Loaded before the app and only then, so that the
 * app itself knows nothing of it.
 */
export function beginViewing(id: string) {
  const ask = globalThis.fetch
  const strip = document.body.appendChild(document.createElement('div'))
  const viewed = apiPath('admin', 'clients', id)
  let isOver = false
  globalThis.fetch = async (input, init) => {
    if (isOver || typeof input !== 'string' || input === viewed) return await ask(input, init)
    if (!/^\/(api|functions)\//.test(input))
      return changesAccount(input, init?.method) ? refuse() : await ask(input, init)
    // The stream of changes belongs to the session's own account: in this tab it never begins.
    if (input === CHANGES) return await new Promise<never>(() => {})
    const headers = new Headers(init?.headers)
    headers.set('x-view-as', id)
    return await ask(input, { ...init, headers })
  }
  authClient.onAuthStateChange((event) => {
    if (event !== 'SIGNED_OUT') return
    isOver = true
    stopViewing()
    strip.remove()
  })
  void showStrip(strip, id)
}

function changesAccount(url: string, method = 'GET') {
  if (!url.startsWith(`${AUTH_URL}/`)) return false
  const call = url.slice(AUTH_URL.length)
  return method === 'GET' ? CHANGES_ACCOUNT.test(call) : !KEEPS_ACCOUNT.test(call)
}

/** Answers as the service does, with a code whose sentence is shown as it is. */
function refuse() {
  const problem = { code: 403, error_code: 'validation_failed', msg: NOTHING_CHANGES }
  return Response.json(problem, { status: 403 })
}

async function showStrip(strip: HTMLElement, id: string) {
  strip.className = 'sticky bottom-0 z-40'
  const name = await nameViewed(id)
  createRoot(strip).render(
    <aside
      aria-label="Viewed client"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line bg-waiting-soft px-4 py-2 text-sm sm:px-6 lg:px-8 print:hidden"
    >
      <p className="min-w-0 wrap-anywhere">
        You see this as <strong className="font-semibold">{name}</strong>. {NOTHING_CHANGES}
      </p>
      <button
        type="button"
        className={buttonClass('secondary', 'sm')}
        onClick={() => {
          stopViewing()
          location.assign(adminItemPath('clients', id))
        }}
      >
        Stop viewing
      </button>
    </aside>,
  )
}

/** The strip is shown whatever fails. */
async function nameViewed(id: string) {
  const client = await request(apiPath('admin', 'clients', id), namedSchema).catch(() => null)
  return client?.display_name ?? 'this client'
}
