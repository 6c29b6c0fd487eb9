import type { SecurityEvent } from '#core/contract/accounts/security-event.ts'
import { writeToConsole } from '#web/app/silence-console.ts'
import { functionPath } from '#web/api/api-path.ts'
import { readClientIdentifier } from './client-identifier.ts'
import { createEvent, keepEvent, readEventLog } from './event-log.ts'
import { reachesAlert } from './reaches-alert.ts'

/**
 * Stores a security event in this browser and reports it to the service. If its window is full, an alert
 * follows.
 * @param details our own words and numbers: never an address, a password or a code
 * @param token of the session it concerns, if there is one
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

/** A failure is only logged (docs/product.md §7, security-monitoring). */
function send(event: SecurityEvent, token: string | null) {
  fetch(functionPath('security-monitoring'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ event }),
    // The page may be left right after a sign-out.
    keepalive: true,
  }).then(
    (response) => {
      if (!response.ok) writeToConsole(`A security event was not taken: ${response.status}`)
    },
    () => writeToConsole('A security event was not sent'),
  )
}
