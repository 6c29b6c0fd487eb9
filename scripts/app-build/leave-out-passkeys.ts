import type { Plugin } from 'vite'

const STUB = '\0no-passkeys'
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

/**
 * Removes passkeys and wallets, which the web app does not offer, from the client of the authentication
 * service: 4 KB of its 23. The build fails if a release renames them.
 */
export const leaveOutPasskeys: Plugin = {
  name: 'leave-out-passkeys',
  enforce: 'pre',
  apply: 'build',
  resolveId: (id, importer) =>
    /^\.\/lib\/(?:webauthn|web3\/ethereum)$/.test(id) && importer?.includes('/auth-js/') === true
      ? STUB
      : null,
  load: (id) =>
    id === STUB
      ? `export class WebAuthnApi {}\n${NAMES.map((name) => `export const ${name} = undefined`).join('\n')}`
      : null,
}
