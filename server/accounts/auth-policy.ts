/** How long a refresh waits for another one of the same session before it answers 409. */
export const REFRESH_LOCK_SECONDS = 5

/** docs/product.md §9, login rate limiter: so many failed attempts, in this window, block for as long again. */
export const SIGN_IN_ATTEMPTS = 5
export const SIGN_IN_WINDOW_MINUTES = 15

/** What a client may put in `data` at sign-up, as JSON text. It travels in every access token, so headers bound it. */
export const LARGEST_METADATA_BYTES = 4096

/**
 * Every body, in bytes; its JSON may be nested as deep as Go's decoder reads it, which the wire comes from. Of values none has more
 * than its metadata can hold, or than are nested so deep: whoever asks is a stranger, and everybody waits while it is parsed.
 */
export const LARGEST_BODY_BYTES = 1_048_576
export const JSON_LIMITS = { deepest: 10_000, values: 10_100 }

/** How long the answer of a provider, or of a mail under PKCE, may be awaited, and its code traded. */
export const FLOW_SECONDS = 300

/** MFA, as the wire has it: so many verified factors, a challenge and an unverified factor live so long. */
export const MOST_FACTORS = 10
export const CHALLENGE_SECONDS = 300
export const UNVERIFIED_FACTOR_SECONDS = 300

/** Wrong codes: for a challenge; for a factor from one address; for a factor from everywhere, before it rests. */
export const WRONG_CODES_PER_CHALLENGE = 3
export const WRONG_CODES_PER_ADDRESS = 10
export const WRONG_CODES_PER_FACTOR = 50
export const WRONG_CODES_MINUTES = 15

/** Wrong six-digit codes of one kind for one account in a day; then no typed code of the kind is taken, but links are. */
export const WRONG_CODES_A_DAY = 50

/** A replaced refresh token is kept so long, to tell a thief by it. */
export const REPLACED_TOKEN_HOURS = 24
