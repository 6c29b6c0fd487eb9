import type { Authentication } from '../contract/webhooks/authentication.ts'

/** What Leadwire shows an endpoint to be let in, and what it asks of the endpoint's certificate; all in clear. */
export interface EndpointAccess {
  authentication: Authentication
  /** PEM; null where there is none */
  certificates: EndpointCertificates | null
  /**
   * Names one version of one configuration's access: its token and its connections are kept under this and shared with
   * nobody. Null keeps neither, as a test of the endpoint wants it.
   */
  keptAs: string | null
}

export interface EndpointCertificates {
  /** the only authorities that are trusted then */
  authority: string | null
  /** the client's certificate, with its chain */
  certificate: string | null
  key: string | null
}

/** For an endpoint that asks for nothing. */
export const OPEN_ACCESS: EndpointAccess = {
  authentication: { type: 'none' },
  certificates: null,
  keptAs: null,
}
