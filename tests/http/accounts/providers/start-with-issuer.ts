import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOidcIssuer,
  type OidcIssuer,
} from '#tests/support/peers/oidc-issuer.ts'
import { startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

/** Starts the authentication service and an issuer that it knows as `acme`, beside other providers. */
export async function startWithIssuer(
  env: Record<string, string> = {},
  providers: Record<string, unknown> = {},
): Promise<{ server: AuthServer; issuer: OidcIssuer; close: () => Promise<void> }> {
  const issuer = await startOidcIssuer()
  const acme = { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  const server = await startAuthServer({ AUTH_PROVIDERS: JSON.stringify({ acme, ...providers }), ...env })
  issuer.register(`${server.url}/callback`)
  return {
    server,
    issuer,
    close: async () => {
      await server.close()
      await issuer.close()
    },
  }
}
