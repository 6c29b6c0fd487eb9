import type { Authentication } from '../contract/webhooks/authentication.ts'

/**
 * The credentials that Leadwire shows an endpoint, and the requirements for the endpoint's certificate; all in clear.
 */
export interface EndpointAccess {
  authentication: Authentication
  /** PEM; null if there is none */
  certificates: EndpointCertificates | null
  /**
   * Names one version of one configuration's access. Its token and its connections are stored under this name and
   * shared with no other. With null neither is stored, as in a test of the endpoint.
   */
  keptAs: string | null
}

export interface EndpointCertificates {
  /** the only authorities that are then trusted */
  authority: string | null
  /** the client's certificate, with its chain */
  certificate: string | null
  key: string | null
}

/** Access to an endpoint that asks for nothing. */
export const OPEN_ACCESS: EndpointAccess = {
  authentication: { type: 'none' },
  certificates: null,
  keptAs: null,
}
