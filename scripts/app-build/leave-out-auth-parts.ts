import type { Plugin } from 'vite'

const NO_PASSKEYS = '\0no-passkeys'
const NO_ADMINISTRATION = '\0no-administration'
const NAMES = [
  'browserSupportsWebAuthn',
  'createCredential',
  'createSiweMessage',
  'deserializeCredentialCreationOptions',
  'deserializeCredentialRequestOptions',
  'fromHex',
  'getAddress',
  'getCredential',
  'serializeCredentialCreationResponse',
  'serializeCredentialRequestResponse',
  'toHex',
  'webAuthnAbortService',
]

const STUBS: Readonly<Record<string, string>> = {
  [NO_PASSKEYS]: `export class WebAuthnApi {}\n${NAMES.map((name) => `export const ${name} = undefined`).join('\n')}`,
  // The client itself calls only this method, to sign out.
  [NO_ADMINISTRATION]: `
    import { _request } from '@supabase/auth-js/dist/module/lib/fetch'
    import { isAuthError } from '@supabase/auth-js/dist/module/lib/errors'
    import { resolveFetch } from '@supabase/auth-js/dist/module/lib/helpers'
    export default class {
      constructor({ url, headers, fetch }) {
        Object.assign(this, { url, headers, fetch: resolveFetch(fetch) })
      }
      async signOut(jwt, scope) {
        try {
          const address = this.url + '/logout?scope=' + scope
          await _request(this.fetch, 'POST', address, { headers: this.headers, jwt, noResolveJson: true })
          return { data: null, error: null }
        } catch (error) {
          if (isAuthError(error)) return { data: null, error }
          throw error
        }
      }
    }`,
}

function findStub(id: string): string | null {
  if (/^\.\/lib\/(?:webauthn|web3\/ethereum)$/.test(id)) return NO_PASSKEYS
  return id === './GoTrueAdminApi' ? NO_ADMINISTRATION : null
}

/**
 * Removes what the web app does not offer from the client of the authentication service: passkeys, wallets and the
 * administration of accounts, 5 KB of its 23. The build fails if a release renames them.
 */
export const leaveOutAuthParts: Plugin = {
  name: 'leave-out-auth-parts',
  enforce: 'pre',
  apply: 'build',
  resolveId: (id, importer) => (importer?.includes('/auth-js/') === true ? findStub(id) : null),
  load: (id) => STUBS[id] ?? null,
}
