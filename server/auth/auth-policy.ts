/** Seconds an access token is good for: the wire's default. */
export const ACCESS_TOKEN_SECONDS = 3600

/** How long a refresh token that was already replaced is still answered with the current one: clients race themselves. */
export const REUSE_INTERVAL_SECONDS = 10

/** How long a refresh waits for another one of the same session before it answers 409. */
export const REFRESH_LOCK_SECONDS = 5

/** SPEC.md §9, login rate limiter: so many failed attempts, in this window, block for as long again. */
export const SIGN_IN_ATTEMPTS = 5
export const SIGN_IN_WINDOW_MINUTES = 15

/** What a client may put in `data` at sign-up, as JSON text. It travels in every access token, so headers bound it. */
export const LARGEST_METADATA_BYTES = 4096

/** Every body, in bytes. */
export const LARGEST_BODY_BYTES = 1_048_576

/** Without outgoing mail nobody could ever confirm: sign-up confirms at once and `/settings` says so. */
export const MAILER_AUTOCONFIRM = true
