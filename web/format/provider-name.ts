const KNOWN: Readonly<Record<string, string>> = {
  azure: 'Microsoft',
  email: 'Email',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  linkedin: 'LinkedIn',
  microsoft: 'Microsoft',
  phone: 'Phone',
  web3: 'Wallet',
}

/** Returns the display name of a sign-in provider: "google" → "Google", "acme-id" → "Acme id". */
export function providerName(name: string) {
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
  if (known !== undefined) return known
  // For SAML the service gives only an id.
  if (name.startsWith('sso:')) return 'Company sign-in'
  const spaced = name.replaceAll(/[_-]+/g, ' ').trim()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
