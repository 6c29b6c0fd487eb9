import { z } from 'zod'
import { trimCode } from '../trim-invisible.ts'

/** The place of the client's id and secret in a token request (RFC 6749 §2.3.1). */
export const CREDENTIALS_IN = ['header', 'body'] as const

const text = (what: string, max: number) =>
  z
    .string({ error: `${what} is required` })
    .min(1, `${what} is required`)
    .max(max, `${what} is too long (at most ${max.toLocaleString('en-US')} characters)`)

const kinds = {
  none: { type: z.literal('none') },
  basic: {
    type: z.literal('basic'),
    username: text('User name', 256),
    password: text('Password', 1024),
  },
  bearer: { type: z.literal('bearer'), token: text('Token', 4096) },
  oauth2: {
    type: z.literal('oauth2'),
    token_url: text('Token URL', 2048).overwrite(trimCode),
    client_id: text('Client ID', 512),
    client_secret: text('Client secret', 2048),
    scope: z.string().trim().max(1024, 'Scope is too long (at most 1,024 characters)').default(''),
    credentials_in: z.enum(CREDENTIALS_IN).default('header'),
  },
}

/**
 * The proof that Leadwire gives an endpoint, beside the signature that every request carries. `basic` is RFC 7617,
 * `bearer` RFC 6750, `oauth2` the client credentials grant of RFC 6749 §4.4. The API returns `password`, `token` and
 * `client_secret` masked; a mask that is sent back keeps the stored value.
 */
export const authenticationSchema = z.discriminatedUnion('type', [
  z.object(kinds.none),
  z.object(kinds.basic),
  z.object(kinds.bearer),
  z.object(kinds.oauth2),
])
/** The authentication in the form in which a client sets it: other members are refused. */
export const newAuthenticationSchema = z.discriminatedUnion('type', [
  z.strictObject(kinds.none),
  z.strictObject(kinds.basic),
  z.strictObject(kinds.bearer),
  z.strictObject(kinds.oauth2),
])
export type Authentication = z.infer<typeof authenticationSchema>
/** Shown for a stored authentication that no key opens any more, or that is damaged. */
export const UNREADABLE_AUTHENTICATION = 'Its authentication cannot be read; enter it again'
/** The same of a custom header, of the key of a client certificate, and of a signing secret. */
export const UNREADABLE_HEADER = 'This header cannot be read; enter its value again'
export const UNREADABLE_KEY = 'Its private key cannot be read; enter it again'
export const UNREADABLE_SECRET = 'Its signing secret cannot be read; rotate it'
export type OAuth2Client = Extract<Authentication, { type: 'oauth2' }>
