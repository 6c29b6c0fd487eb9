import { ERROR_CLASSES, type ErrorClass } from '#core/contract/webhooks/delivery.ts'

const WORDS: Readonly<Record<ErrorClass, string>> = {
  dns: 'Name not found',
  connect: 'No connection',
  tls: 'Certificate or TLS',
  timeout: 'Timed out',
  reset: 'Connection broken off',
  too_large: 'Answer too large',
  redirect: 'Redirect',
  blocked_address: 'Address not allowed',
  invalid_request: 'Request not possible',
  authentication: 'Not signed in',
  http_4xx: 'Refused (4xx)',
  http_5xx: 'Server error (5xx)',
  http_other: 'Unusual status',
  gone: 'Gone (410)',
  throttled: 'Asked to slow down (429)',
  refused_by_body: 'Refused in its answer',
  internal_error: 'Our own failure',
  sender_crashed: 'Our process ended with it',
  mail_server: 'Our mail server',
}

/** Returns a failure's class in few words; undefined for a class that this version does not know. */
export function wordErrorClass(name: string): string | undefined {
  const known = ERROR_CLASSES.find((one) => one === name)
  return known === undefined ? undefined : WORDS[known]
}
