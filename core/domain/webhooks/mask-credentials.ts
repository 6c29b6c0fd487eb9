/** Stands for the hidden part. It is outside of Latin-1, so a mask can never be sent as a header value by mistake. */
export const DOTS = '••••'
/** The last 4 characters are shown as a hint only for values of at least this length, so that enough stays unknown. */
const HINTED_LENGTH = 20

// One of these anywhere in a name makes its value a credential: X-AccessToken, api_secret, XSessionCookie.
const TELLING =
  /token|secret|passw|passphrase|pwd|credential|api-?_?key|auth-?_?key|access-?_?key|cookie|session|signature|jwt|hmac|bearer|authori[sz]ation|authentication/i
// These only as a word of their own: X-Key and Auth-User, but neither X-Keyword nor X-Author.
const TELLING_WORDS = new Set(['key', 'apikey', 'auth', 'pass', 'pin', 'sid', 'sig', 'private', 'otp'])

// Values that look like credentials: an authentication scheme, a JSON Web Token, prefixes that services put before
// their keys.
const SCHEME = /^(basic|bearer|digest|token|apikey|api-key|negotiate|hawk|aws4-hmac-sha256|signature)\s+\S/i
const KNOWN_FORM =
  /^(eyJ[\w-]+\.|whsec_|[sr]k[_-](live|test|proj)|sk-|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|SG\.|pat-|shpat_|key-)/
// One long word of letters and digits, like a generated key; a slug of words or a version is not one.
const GENERATED = /^(?=.*[A-Za-z])(?=.*\d)[\w+/=.~-]{24,}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Whether a custom header carries a credential, by its name or by the form of its value. In doubt it does: a mask only
 * means that a person must type a value again. A UUID, or a long word under a name that ends in `id`, names something.
 */
export function isCredential(name: string, value: string): boolean {
  if (nameTells(name)) return true
  if (SCHEME.test(value) || KNOWN_FORM.test(value)) return true
  return wordsOf(name).at(-1) !== 'id' && !UUID.test(value) && GENERATED.test(value)
}

/** Whether a name says that its value is a credential. */
export function nameTells(name: string): boolean {
  return TELLING.test(name) || wordsOf(name).some((word) => TELLING_WORDS.has(word))
}

/** Whether it is one word with a prefix of services' keys; "Basic cover" and "key-person" are not. */
export function isKnownKey(value: string): boolean {
  return /^(bearer )?\S{16,}$/i.test(value) && KNOWN_FORM.test(value.replace(/^bearer /i, ''))
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
}

/**
 * The mask of a credential: its scheme, if it has one, dots, and the end of a long one. `Basic` shows no end, because
 * its last characters are the end of the password.
 */
export function maskValue(value: string): string {
  const scheme = SCHEME.exec(value)?.[1] ?? ''
  const hidden = value.slice(scheme.length).trim()
  const hint = hidden.length >= HINTED_LENGTH && scheme.toLowerCase() !== 'basic' ? hidden.slice(-4) : ''
  return `${scheme === '' ? '' : `${scheme} `}${DOTS}${hint}`
}

/** The dots occur in no value that can be sent. */
export function isMask(value: string): boolean {
  return value.includes('•')
}

/**
 * Headers in the form that their owner sees: credentials masked, everything else unchanged. A value that could not be
 * opened (undefined) is masked too: it must be typed again.
 */
export function maskCredentials(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskHeader(name, value)]))
}

function maskHeader(name: string, value: string | undefined): string {
  if (value === undefined) return DOTS
  return isCredential(name, value) ? maskValue(value) : value
}
