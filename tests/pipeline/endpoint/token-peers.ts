import { beforeEach } from 'vitest'
import type { Authentication, OAuth2Client } from '#core/contract/webhooks/authentication.ts'
import type { EndpointAccess } from '#core/endpoint/endpoint-access.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startTokenServer, type TokenServer } from '#tests/support/peers/token-server.ts'
import { closeLater } from './open-transport.ts'

export const access = (
  authentication: Authentication,
  keptAs: string | null = 'config-1',
): EndpointAccess => ({ authentication, certificates: null, keptAs })

/** An endpoint and a token endpoint for each test, and a client of the latter. */
export interface TokenPeers {
  crm: Receiver
  tokens: TokenServer
  client: (fields?: Partial<OAuth2Client>) => OAuth2Client
}

/** Starts both before each test of the calling file. */
export function openTokenPeers(): TokenPeers {
  let crm: Receiver
  let tokens: TokenServer
  beforeEach(async () => {
    crm = await startReceiver()
    tokens = await startTokenServer()
    closeLater(crm.close)
    closeLater(tokens.close)
  })
  return {
    get crm() {
      return crm
    },
    get tokens() {
      return tokens
    },
    client: (fields = {}) => ({
      type: 'oauth2',
      token_url: `${tokens.url}/token`,
      client_id: 'leadwire',
      client_secret: 'client-secret',
      scope: '',
      credentials_in: 'header',
      ...fields,
    }),
  }
}
