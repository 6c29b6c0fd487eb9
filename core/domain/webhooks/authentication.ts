import type { Authentication } from '#core/contract/webhooks/authentication.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { isSameOrigin, type Binding } from './keep-masked.ts'
import { isMask, maskValue } from './mask-credentials.ts'

/** The member that must never be shown. */
type SecretField = 'password' | 'token' | 'client_secret'
type WithSecret = Exclude<Authentication, { type: 'none' }>

const TOKEN_URL_CHANGED = 'Enter the value again: the token address has changed'

/** The form in which its owner sees it. A password gives no hint, however long it is. */
export function maskAuthentication(authentication: Authentication): Authentication {
  if (authentication.type === 'none') return authentication
  const mask = authentication.type === 'basic' ? maskValue('') : maskValue(readSecret(authentication))
  return withSecret(authentication, mask)
}

/**
 * Returns the given value, with the stored secret restored where its mask was sent.
 * @param given undefined keeps the stored value
 * @param stored in clear; undefined if there is no configuration yet
 */
export function keepMaskedAuthentication(
  given: Authentication | undefined,
  stored: Authentication | undefined,
  binding: Binding,
): { authentication: Authentication; errors: FieldError[] } {
  const wanted = given ?? stored ?? { type: 'none' }
  if (wanted.type === 'none') return { authentication: wanted, errors: [] }
  const isKept = given === undefined || isMask(readSecret(wanted))
  if (!isKept) return { authentication: wanted, errors: [] }
  const path = `authentication.${secretField(wanted)}`
  const refuse = (message: string) => ({ authentication: wanted, errors: [{ path, message }] })
  if (stored === undefined || stored.type !== wanted.type || !isMaskOf(wanted, stored, given === undefined))
    return refuse('Enter the value: what was sent is only a mask')
  if (!binding.isBound) return refuse(binding.message)
  if (
    wanted.type === 'oauth2' &&
    stored.type === 'oauth2' &&
    !isSameOrigin(wanted.token_url, stored.token_url)
  ) {
    return refuse(TOKEN_URL_CHANGED)
  }
  return { authentication: withSecret(wanted, readSecret(stored)), errors: [] }
}

/**
 * Checks the values by the rules of headers, so that none can make every send fail. The guard checks the token address.
 */
export function checkAuthentication(authentication: Authentication): FieldError[] {
  const errors: FieldError[] = []
  const check = (field: string, isGood: boolean, message: string): void => {
    if (!isGood) errors.push({ path: `authentication.${field}`, message })
  }
  const isPlain = (value: string): boolean => !/[\u0000-\u001f\u007f]/.test(value)
  if (authentication.type === 'basic') {
    const { username, password } = authentication
    // RFC 7617 §2: the first colon ends the user name.
    check('username', !username.includes(':'), 'A user name must not contain a colon')
    check('username', isPlain(username), 'A user name must not contain control characters')
    check('password', isPlain(password), 'A password must not contain control characters')
  }
  if (authentication.type === 'bearer') {
    const isWord = /^[\x21-\x7e]+$/.test(authentication.token)
    check('token', isWord, 'A token is one word of ASCII characters; leave out the word Bearer')
  }
  if (authentication.type === 'oauth2') {
    const { client_id: id, client_secret: secret, scope } = authentication
    check('client_id', isPlain(id), 'A client ID must not contain control characters')
    check('client_secret', isPlain(secret), 'A client secret must not contain control characters')
    // RFC 6749 §3.3: words of printable ASCII, without quotes and backslashes.
    check('scope', /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(scope), 'A scope is a list of words with spaces')
  }
  return errors
}

function secretField({ type }: WithSecret): SecretField {
  return type === 'basic' ? 'password' : type === 'bearer' ? 'token' : 'client_secret'
}

function readSecret(authentication: WithSecret): string {
  if (authentication.type === 'basic') return authentication.password
  return authentication.type === 'bearer' ? authentication.token : authentication.client_secret
}

function withSecret(authentication: WithSecret, secret: string): Authentication {
  return { ...authentication, [secretField(authentication)]: secret }
}

function isMaskOf(wanted: WithSecret, stored: WithSecret, isLeftOut: boolean): boolean {
  if (isLeftOut) return true
  const masked = maskAuthentication(stored)
  return masked.type !== 'none' && readSecret(masked) === readSecret(wanted)
}
