import type { SecurityEvent } from '#core/contract/accounts/security-event.ts'
import { writeToConsole } from '#web/app/silence-console.ts'
import { functionPath } from '#web/api/api-path.ts'
import { readClientIdentifier } from './client-identifier.ts'
import { createEvent, keepEvent, readEventLog } from './event-log.ts'
import { reachesAlert } from './reaches-alert.ts'

/**
 * Keeps a security event in this browser and reports it to the service; an alert follows where a window is full.
 * @param details words and numbers of ours: never an address, a password or a code
 * @param token of the session it concerns, while there is one
 */
export function reportSecurityEvent(
  type: string,
  details: SecurityEvent['details'] = {},
  token: string | null = null,
) {
  const now = Date.now()
  const event = createEvent(type, { ...details, client: readClientIdentifier() }, now)
  keepEvent(localStorage, event)
  send(event, token)
  if (reachesAlert(readEventLog(localStorage), type, now))
    reportSecurityEvent('security_alert', { cause: type }, token)
}

/** docs/product.md §7, security-monitoring: failures are only logged. */
function send(event: SecurityEvent, token: string | null) {
  fetch(functionPath('security-monitoring'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ event }),
    // Signing out may be followed by leaving the page.
    keepalive: true,
  }).then(
    (response) => {
      if (!response.ok) writeToConsole(`A security event was not taken: ${response.status}`)
    },
    () => writeToConsole('A security event was not sent'),
  )
}
