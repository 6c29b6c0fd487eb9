import { createHash } from 'node:crypto'
import { z } from 'zod'
import { authenticationSchema, type Authentication } from '../contract/webhooks/authentication.ts'
import { readStored, readStoredJson, StoredDataError } from '../read-stored.ts'
import { SealError, type SecretBox } from './secret-box.ts'
import type { EndpointAccess } from '../endpoint/endpoint-access.ts'

/** The credentials for an endpoint as the configuration's row stores them, secret parts still sealed. */
export interface SealedAccess {
  id: string
  /** null means none */
  authentication: string | null
  ca_certificate: string | null
  client_certificate: string | null
  client_key: string | null
}

const sealedHeadersSchema = z.record(z.string(), z.string())

/**
 * Header values in clear, for a request and for checks.
 * @throws SealError or StoredDataError
 */
export function openHeaders(sealed: unknown, secrets: SecretBox): Record<string, string> {
  const headers = readStored(sealedHeadersSchema, sealed, 'the custom headers of a configuration')
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.open(value)]))
}

/**
 * Header values in clear as far as they open. A value that was sealed with a lost key, or is damaged, is undefined, so
 * that it takes nothing else along.
 * @throws StoredDataError if they are no headers at all
 */
export function openReadableHeaders(sealed: unknown, secrets: SecretBox): Record<string, string | undefined> {
  const headers = readStored(sealedHeadersSchema, sealed, 'the custom headers of a configuration')
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, openIfPossible(value, secrets)]),
  )
}

/** A sealed value in clear; undefined if no key opens it, or it is damaged. */
export function openIfPossible(sealed: string, secrets: SecretBox): string | undefined {
  try {
    return secrets.open(sealed)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** @throws SealError or StoredDataError */
export function openAuthentication(sealed: string | null, secrets: SecretBox): Authentication {
  if (sealed === null) return { type: 'none' }
  return readStoredJson(authenticationSchema, secrets.open(sealed), 'the authentication of a configuration')
}

/** The authentication in clear; undefined if it was sealed with a lost key, or is damaged: its owner enters it again. */
export function openReadableAuthentication(
  sealed: string | null,
  secrets: SecretBox,
): Authentication | undefined {
  try {
    return openAuthentication(sealed, secrets)
  } catch (error) {
    if (error instanceof SealError || error instanceof StoredDataError) return undefined
    throw error
  }
}

/** Opens what is stored as far as a key opens it: an unreadable authentication is undefined, a private key null. */
export function openReadableAccess(
  row: SealedAccess,
  secrets: SecretBox,
): Pick<EndpointAccess, 'certificates'> & { authentication: Authentication | undefined } {
  const { ca_certificate: authority, client_certificate: certificate, client_key: key } = row
  return {
    authentication: openReadableAuthentication(row.authentication, secrets),
    certificates:
      authority === null && certificate === null
        ? null
        : { authority, certificate, key: key === null ? null : (openIfPossible(key, secrets) ?? null) },
  }
}

/**
 * Returns everything in clear, in the form of the transport.
 * @param isKept whether token and connections may be kept for the next request
 * @throws SealError or StoredDataError
 */
export function openAccess(row: SealedAccess, secrets: SecretBox, isKept: boolean): EndpointAccess {
  const { ca_certificate: authority, client_certificate: certificate, client_key: key } = row
  return {
    authentication: openAuthentication(row.authentication, secrets),
    certificates:
      authority === null && certificate === null
        ? null
        : { authority, certificate, key: key === null ? null : secrets.open(key) },
    keptAs: isKept ? nameAccess(row) : null,
  }
}

/**
 * A name that differs for each configuration, and after each change of its access, because every sealing gives another
 * text.
 */
function nameAccess(row: SealedAccess): string {
  const parts = [row.id, row.authentication, row.ca_certificate, row.client_certificate, row.client_key]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}
