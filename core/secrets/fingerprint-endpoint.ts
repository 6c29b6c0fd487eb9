import { createHash, createHmac } from 'node:crypto'
import type { SecretBox } from './secret-box.ts'
import { openAuthentication, openHeaders, type SealedAccess } from './open-credentials.ts'

/** The settings from which requests to an endpoint are made, with secrets still sealed. */
export interface SealedEndpoint extends SealedAccess {
  endpoint_url: string
  request_method: string
  payload_type: string
  custom_headers: unknown
  signing_secret: string
}

/**
 * A hash that differs once the endpoint, its authentication, certificates, method, format, headers or secret do. Values
 * that are only sealed anew keep it. It tells nothing of a short password, because the signing secret goes into it.
 * @throws SealError or StoredDataError
 */
export function fingerprintEndpoint(row: SealedEndpoint, secrets: SecretBox): string {
  const headers = Object.entries(openHeaders(row.custom_headers, secrets)).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  const parts = [
    row.endpoint_url,
    row.request_method,
    row.payload_type,
    headers,
    openAuthentication(row.authentication, secrets),
    row.ca_certificate,
    row.client_certificate,
    row.client_key === null ? null : secrets.open(row.client_key),
    secrets.open(row.signing_secret),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/**
 * The text that proves that an endpoint's host is the client's: whoever knows the webhook's signing secret, which
 * Leadwire and the client do, can serve it at CHALLENGE_PATH. It signs nothing that a delivery could be.
 * @param signingSecret in clear, `whsec_` and base64
 */
export function makeChallenge(signingSecret: string, webhookConfigId: string): string {
  const key = Buffer.from(signingSecret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(`leadwire-challenge ${webhookConfigId}`).digest('base64url')
}
