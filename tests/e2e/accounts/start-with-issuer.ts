import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOidcIssuer,
  type OidcIssuer,
} from '#tests/support/peers/oidc-issuer.ts'
import { startSecondProduct, type SecondProduct } from '#tests/support/browser/second-product.ts'

/** Starts a product with a provider that answers, "Acme id", and one that nobody reaches, "Away". */
export async function startWithIssuer(
  variables: Record<string, string>,
): Promise<{ product: SecondProduct; issuer: OidcIssuer }> {
  const issuer = await startOidcIssuer()
  const provider = { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  const product = await startSecondProduct({
    AUTH_MANUAL_LINKING: '1',
    AUTH_PASSWORD_REAUTHENTICATION: '1',
    AUTH_RATE_GAP_SECONDS: '0',
    AUTH_PROVIDERS: JSON.stringify({
      'acme-id': provider,
      away: { ...provider, issuer: 'http://127.0.0.1:9' },
    }),
    ...variables,
  })
  issuer.register(`${product.url}/auth/v1/callback`)
  return { product, issuer }
}
