/** Seconds that a refresh waits for another refresh of the same session before it answers 409. */
export const REFRESH_LOCK_SECONDS = 5

/**
 * docs/product.md §9, login rate limiter: this many failed attempts within this window block the account for
 * as long again.
 */
export const SIGN_IN_ATTEMPTS = 5
export const SIGN_IN_WINDOW_MINUTES = 15

/**
 * Sign-ins behind a proxy that TRUST_PROXY does not name: checked or waiting at once for one account, from one claimed
 * address and from all, and waiting in the whole process. Others are refused with 429.
 */
export const SLOW_SIGN_INS = { ofCaller: 2, ofAccount: 30, waiting: 100 }

/**
 * Limit of `data` at sign-up, as JSON text. Every access token carries it, and the size of headers is
 * limited.
 */
export const LARGEST_METADATA_BYTES = 4096

/**
 * Limit of every body, in bytes. Its JSON may be nested as deep as Go's decoder allows, because the wire was
 * made with it. The limit of values covers the largest metadata and the deepest nesting; it is no higher,
 * because callers are strangers and parsing blocks the process.
 */
export const LARGEST_BODY_BYTES = 1_048_576
export const JSON_LIMITS = { deepest: 10_000, values: 10_100 }

/**
 * Seconds within which a flow must end: the provider answers, or the mail under PKCE is opened, and the code is traded.
 */
export const FLOW_SECONDS = 300

/**
 * MFA, as the wire defines it: the number of verified factors, and the life of a challenge and of an
 * unverified factor.
 */
export const MOST_FACTORS = 10
export const CHALLENGE_SECONDS = 300
export const UNVERIFIED_FACTOR_SECONDS = 300

/**
 * Wrong codes allowed for a challenge, for a factor from one address, and for a factor from all addresses
 * before it is blocked.
 */
export const WRONG_CODES_PER_CHALLENGE = 3
export const WRONG_CODES_PER_ADDRESS = 10
export const WRONG_CODES_PER_FACTOR = 50
export const WRONG_CODES_MINUTES = 15

/**
 * Wrong six-digit codes of one kind for one account in a day. After that no typed code of the kind is
 * accepted; links still are.
 */
export const WRONG_CODES_A_DAY = 50

/** A replaced refresh token is kept this long, so that its reuse reveals a thief. */
export const REPLACED_TOKEN_HOURS = 24
